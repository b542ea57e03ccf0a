import { Anchor, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useOperationPages } from '../../api/hooks.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { MoreButton } from '../../parts/evidence/more-button.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { KINDS, type Kind, type Time } from './change.ts'
import { ChangeLines } from './change-lines.tsx'
import { ChangeSection } from './change-section.tsx'
import { PeriodText } from './period-text.tsx'

interface Props {
  readonly kind: Kind
  readonly time: Time
  readonly onAll: () => void
}

/** Everything of one kind that changed within a time. */
export const KindOfChanges = ({ kind, time, onAll }: Props) => {
  const query = useOperationPages('list_changes', { time, kind, limit: 100 })
  const { first, items, error, refetch } = query
  const { title } = KINDS[kind]
  if (first === undefined) {
    return error === null ? <LoadingState rows={8} /> : <ErrorState error={error} retry={refetch} />
  }
  return (
    <>
      <Text size="sm" c="dimmed">
        <PeriodText from={first.from} to={first.to} />.{' '}
        <Anchor component="button" type="button" inherit underline="always" onClick={onAll}>
          Show every kind
        </Anchor>
      </Text>
      {items.length === 0 ? (
        <EmptyState icon={IconHistory} title="Nothing of this kind changed">
          {title}: none in this time.
        </EmptyState>
      ) : (
        <ChangeSection title={title} count={items[0]?.count ?? 0}>
          <ChangeLines kind={kind} within={first} changes={items.flatMap(section => section.items)} />
          <MoreButton query={query} />
        </ChangeSection>
      )}
    </>
  )
}
