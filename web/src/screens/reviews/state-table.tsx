import { Table } from '@mantine/core'
import { StateBadge } from '../../parts/state-badge.tsx'
import { EvidenceLink } from './evidence-link.tsx'
import type { Figures } from './review.ts'
import classes from './reviews.module.css'

interface Props {
  readonly states: Figures['solutions']['by_state']
}

/** How many Solutions were in each state at the end of the time, and at its beginning. */
export const StateTable = ({ states }: Props) => (
  <Table className={classes.table ?? ''} aria-label="Solutions by state">
    <Table.Thead>
      <Table.Tr>
        <Table.Th>State</Table.Th>
        <Table.Th ta="right">At the end</Table.Th>
        <Table.Th ta="right">At the start</Table.Th>
        <Table.Th ta="right">Stuck</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {states.map(({ state, solutions, solutions_before, stuck }) => (
        <Table.Tr key={state}>
          <Table.Td>
            <StateBadge state={state} />
          </Table.Td>
          <Table.Td ta="right" fw={600}>
            <EvidenceLink to={`/app/board?state=${encodeURIComponent(state)}`}>
              {solutions.toLocaleString('en')}
            </EvidenceLink>
          </Table.Td>
          <Table.Td ta="right" c="dimmed">
            {solutions_before?.toLocaleString('en') ?? '–'}
          </Table.Td>
          <Table.Td ta="right">{stuck === 0 ? '–' : stuck.toLocaleString('en')}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)
