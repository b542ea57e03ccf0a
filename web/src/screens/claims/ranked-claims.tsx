import { Table, Text } from '@mantine/core'
import { IconQuote } from '@tabler/icons-react'
import { useRef } from 'react'
import { useOperationPages } from '../../api/hooks.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { counted } from '../../parts/evidence/counted.ts'
import { MoreButton } from '../../parts/evidence/more-button.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Reference } from '../../parts/reference.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { When } from '../../parts/when.tsx'
import type { ClaimFilter, ClaimOrder } from './claim-filter.ts'
import { KindLabel } from './kind-label.tsx'
import { useRowKeys } from './use-row-keys.ts'

interface Props {
  readonly filter: ClaimFilter
  readonly order: ClaimOrder
}

/** The claims with what is behind each, the highest of the order first. */
export const RankedClaims = ({ filter, order }: Props) => {
  const query = useOperationPages('analyze_claims', { ...filter, order_by: order, limit: 50 }, { keep: true })
  const { items, first, error } = query
  const body = useRef<HTMLTableSectionElement>(null)
  useRowKeys(body)
  if (first === undefined) {
    return error === null ? <LoadingState rows={10} /> : <ErrorState error={error} retry={query.refetch} />
  }
  if (items.length === 0) {
    return (
      <EmptyState icon={IconQuote} title="No claim is like that">
        A problem or an idea starts a claim by itself; a signal that is promoted in Triage does too.
      </EmptyState>
    )
  }
  const unanswered = first.groups.reduce((sum, group) => sum + group.unanswered, 0)
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm" role="status">
        {counted(first.count, 'claim')}, {unanswered.toLocaleString('en')} of them without a Solution.
      </Text>
      <Table.ScrollContainer minWidth={940} type="native">
        <Table highlightOnHover aria-label="Claims" style={{ whiteSpace: 'nowrap' }}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Claim</Table.Th>
              <Table.Th>Title</Table.Th>
              <Table.Th>Kind</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th ta="right">Signals</Table.Th>
              <Table.Th ta="right">Senders</Table.Th>
              <Table.Th ta="right">Solutions</Table.Th>
              <Table.Th ta="right">Priority</Table.Th>
              <Table.Th>Newest evidence</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody ref={body}>
            {items.map(claim => (
              <Table.Tr key={claim.id}>
                <Table.Td>
                  <Reference of={claim.reference} />
                </Table.Td>
                <Table.Td w="100%" maw={0}>
                  <Text component="bdi" size="sm" truncate="end" display="block" title={claim.title}>
                    {claim.title}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <KindLabel kind={claim.kind} />
                </Table.Td>
                <Table.Td miw={112}>
                  <StateBadge state={claim.state} />
                </Table.Td>
                <Table.Td ta="right">{claim.signals.toLocaleString('en')}</Table.Td>
                <Table.Td ta="right">{claim.actors.toLocaleString('en')}</Table.Td>
                <Table.Td ta="right">{claim.solutions}</Table.Td>
                <Table.Td ta="right">{claim.evidence_priority.toFixed(2)}</Table.Td>
                <Table.Td>{claim.last_evidence_at === null ? '–' : <When at={claim.last_evidence_at} />}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <MoreButton query={query} />
    </>
  )
}
