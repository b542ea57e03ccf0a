import { Button, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useOperation } from '../../api/hooks.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { counted } from '../../parts/evidence/counted.ts'
import { LoadingState } from '../../parts/loading-state.tsx'
import { KINDS, type Kind, type Time } from './change.ts'
import { ChangeLines } from './change-lines.tsx'
import { ChangeSection } from './change-section.tsx'
import classes from './changes.module.css'
import { PeriodText } from './period-text.tsx'

interface Props {
  readonly time: Time
  readonly onKind: (kind: Kind) => void
}

/** The first changes of each kind, with how many there are. */
export const AllChanges = ({ time, onKind }: Props) => {
  const { data, error, refetch } = useOperation('list_changes', { time }, { keep: true })
  if (data === undefined) {
    return error === null ? <LoadingState rows={8} /> : <ErrorState error={error} retry={refetch} />
  }
  const count = data.items.reduce((sum, section) => sum + section.count, 0)
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        <PeriodText from={data.from} to={data.to} />: {counted(count, 'change')}.
      </Text>
      {count === 0 && (
        <EmptyState icon={IconHistory} title="Nothing changed">
          No Signal came in, and nobody decided anything in this time.
        </EmptyState>
      )}
      {data.items.map(({ kind, count: of, items }) => (
        <ChangeSection key={kind} title={KINDS[kind].title} count={of}>
          <ChangeLines kind={kind} within={data} changes={items} />
          {of > items.length && items.every(({ reference }) => reference !== null) && (
            <Button
              size="compact-xs"
              variant="subtle"
              mt="xs"
              className={classes.more ?? ''}
              onClick={() => onKind(kind)}
              aria-label={`Show all ${of}: ${KINDS[kind].title}`}
            >
              Show all {of.toLocaleString('en')}
            </Button>
          )}
        </ChangeSection>
      ))}
    </>
  )
}
