import { Box, Button, Text } from '@mantine/core'
import { useOperationPages } from '../../../api/hooks.ts'
import { clip } from '../../../parts/clip.ts'
import { ErrorState } from '../../../parts/error-state.tsx'
import { LoadingState } from '../../../parts/loading-state.tsx'
import { When } from '../../../parts/when.tsx'
import { counted } from '../counted.ts'
import classes from './group-letters.module.css'
import { type Group, type Letter, type LetterState, ofGroup } from './selection.ts'

interface Props {
  readonly of: Group
  readonly state: LetterState
  readonly onInspect: (letter: Letter) => void
}

const MESSAGE = 160

/** The letters of one group, the newest first; each opens its inspection. */
export const GroupLetters = ({ of: group, state, onInspect }: Props) => {
  const { items, first, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useOperationPages(
    'inspect_pipeline',
    { ...ofGroup(group), letter_state: state },
    { keep: true },
  )
  if (first === undefined) {
    return (
      <Box p="sm">
        {error === null ? <LoadingState rows={3} height={24} /> : <ErrorState error={error} retry={refetch} />}
      </Box>
    )
  }
  return (
    <>
      <ul className={classes.letters} aria-label="Letters">
        {items.map(letter => (
          <li key={letter.signal_id}>
            <button type="button" className={classes.letter} onClick={() => onInspect(letter)}>
              <span className={classes.id}>{letter.signal_id}</span>
              <bdi className={classes.message}>
                {letter.message === null
                  ? 'Sealed: it died before personal data was removed.'
                  : clip(letter.message, MESSAGE)}
              </bdi>
              <span className={classes.facts}>
                {counted(letter.attempts, 'attempt')}
                {letter.deaths > 1 && `, died ${letter.deaths} times`}
                {letter.next_redrive_at !== null && (
                  <>
                    , tried again <When at={letter.next_redrive_at} />
                  </>
                )}
              </span>
              <span className={classes.facts}>
                <When at={letter.last_failed_at} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {items.length === 0 && (
        <Text size="sm" c="dimmed" p="sm">
          None is left.
        </Text>
      )}
      {hasNextPage && (
        <Button variant="subtle" size="compact-sm" m="sm" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  )
}
