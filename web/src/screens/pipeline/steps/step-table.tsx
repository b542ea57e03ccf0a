import { Table } from '@mantine/core'
import type { Output } from '../../../api/client.ts'
import { ScrollingTable } from '../../../parts/scrolling-table.tsx'
import tables from '../tables.module.css'
import { type Lane, type StepName, segmentsOf, type Watched } from './lane.ts'
import { StepRow } from './step-row.tsx'
import classes from './step-table.module.css'

interface Props {
  readonly of: Watched
  readonly lane: Lane
  /** This workspace’s dead letters, by step. */
  readonly groups: Output<'inspect_pipeline'>['groups']
  readonly onPause: (step: StepName) => void
}

/** All nine steps in one lane. Steps of one segment stand together: they hand over in memory, and what comes waits at the first. */
export const StepTable = ({ of: { steps, may_pause }, lane, groups, onPause }: Props) => (
  <ScrollingTable minWidth={860} label="Steps, scrolling">
    <Table aria-label="Steps" className={`${tables.quiet} ${classes.steps}`} withRowBorders={false}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Step</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th ta="right">Rate</Table.Th>
          <Table.Th ta="right">p50</Table.Th>
          <Table.Th ta="right">p95</Table.Th>
          <Table.Th ta="right">Since receipt, p95</Table.Th>
          <Table.Th ta="right">Waiting</Table.Th>
          <Table.Th ta="right">Oldest</Table.Th>
          <Table.Th ta="right">Retries</Table.Th>
          <Table.Th ta="right">Dead-lettered</Table.Th>
          <Table.Th ta="right">Dead letters</Table.Th>
          {may_pause && <Table.Th aria-label="Pause or resume" />}
        </Table.Tr>
      </Table.Thead>
      {segmentsOf(steps).map(segment => (
        <Table.Tbody key={segment[0]?.step} className={classes.segment ?? ''}>
          {segment.map((step, place) => (
            <StepRow
              key={step.step}
              of={step}
              head={segment[0] ?? step}
              isHead={place === 0}
              lane={lane}
              letters={groups.filter(group => group.step === step.step).reduce((sum, group) => sum + group.letters, 0)}
              mayPause={may_pause}
              onPause={() => onPause(step.step)}
            />
          ))}
        </Table.Tbody>
      ))}
    </Table>
  </ScrollingTable>
)
