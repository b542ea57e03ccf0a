import { Box, Button, Text } from '@mantine/core'
import { useOperationPages } from '../../../api/hooks.ts'
import { clip } from '../../../parts/clip.ts'
import { ErrorState } from '../../../parts/error-state.tsx'
import { LoadingState } from '../../../parts/loading-state.tsx'
import { When } from '../../../parts/when.tsx'
import { counted } from '../counted.ts'
import classes from './group-dead-letters.module.css'
import { type DeadLetter, type DeadLetterState, type Group, selectionOfGroup } from './selection.ts'

interface Props {
  readonly of: Group
  readonly state: DeadLetterState
  readonly onInspect: (deadLetter: DeadLetter) => void
}

const MESSAGE = 160

/** The letters of one group, the newest first; each opens its inspection. */
export const GroupDeadLetters = ({ of: group, state, onInspect }: Props) => {
  const { items, first, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useOperationPages(
    'inspect_pipeline',
    { ...selectionOfGroup(group), letter_state: state },
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
      <ul className={classes.deadLetters} aria-label="Dead letters">
        {items.map(deadLetter => (
          <li key={deadLetter.signal_id}>
            <button type="button" className={classes.deadLetter} onClick={() => onInspect(deadLetter)}>
              <span className={classes.id}>{deadLetter.signal_id}</span>
              <bdi className={classes.message}>
                {deadLetter.message === null
                  ? 'Sealed: it died before personal data was removed.'
                  : clip(deadLetter.message, MESSAGE)}
              </bdi>
              <span className={classes.facts}>
                {counted(deadLetter.attempts, 'attempt')}
                {deadLetter.deaths > 1 && `, dead-lettered ${deadLetter.deaths} times`}
                {deadLetter.next_redrive_at !== null && (
                  <>
                    , tried again <When at={deadLetter.next_redrive_at} />
                  </>
                )}
              </span>
              <span className={classes.facts}>
                <When at={deadLetter.last_failed_at} />
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
