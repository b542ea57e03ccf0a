import { Text } from '@mantine/core'
import { IconGavel } from '@tabler/icons-react'
import { useOperationPages } from '../../api/hooks.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { counted } from '../../parts/evidence/counted.ts'
import { DecisionList } from '../../parts/evidence/decision-list.tsx'
import { MoreButton } from '../../parts/evidence/more-button.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Page } from '../../parts/page.tsx'
import { PageHeader } from '../../parts/page-header.tsx'

/** Every Decision of the workspace, the newest first. */
export const DecisionLog = () => {
  const query = useOperationPages('lookup_decision', { limit: 50 })
  const { items, first, error } = query
  return (
    <Page width="reading">
      <PageHeader title="Decisions" about="What was decided, by which person, and through the app or which key." />
      {first === undefined &&
        (error === null ? <LoadingState rows={8} height={44} /> : <ErrorState error={error} retry={query.refetch} />)}
      {first?.count === 0 && (
        <EmptyState icon={IconGavel} title="Nothing is decided yet">
          Every triage, merge and change of a Solution is logged here, with who decided it.
        </EmptyState>
      )}
      {first !== undefined && first.count > 0 && (
        <Text size="sm" c="dimmed" mb="sm" role="status">
          {counted(first.count, 'Decision')}.
        </Text>
      )}
      <DecisionList decisions={items} />
      <MoreButton query={query} />
    </Page>
  )
}
