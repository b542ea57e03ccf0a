import { Table, Title } from '@mantine/core'
import { duration } from '../../../parts/duration.ts'
import tables from '../tables.module.css'
import type { Watched } from './lane.ts'
import { StateDot } from './state-dot.tsx'
import classes from './step-table.module.css'

const NAMES: Readonly<Record<string, string>> = {
  'dead-letters': 'Dead letters',
  activity: 'Activity',
  metrics: 'Metric points',
}

const nameOf = (queue: string): string => {
  const [, delay] = /^retry\.(.+)$/.exec(queue) ?? []
  return delay === undefined ? (NAMES[queue] ?? queue) : `Retries after ${delay}`
}

interface Props {
  readonly of: Watched['queues']
}

/** What waits beside the steps: for its time to be tried again, or to be written down. */
export const Queues = ({ of: queues }: Props) =>
  queues.length > 0 && (
    <>
      <Title order={2} mt="xl" mb="sm">
        Other queues
      </Title>

      <Table aria-label="Other queues" className={`${tables.quiet} ${classes.steps}`} maw={640}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Queue</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th ta="right">Waiting</Table.Th>
            <Table.Th ta="right">Oldest</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {queues.map(({ queue, state, lag, oldest_at: oldest, reason }) => (
            <Table.Tr key={queue}>
              <Table.Td style={{ whiteSpace: 'normal' }}>{nameOf(queue)}</Table.Td>
              <Table.Td title={reason}>
                <StateDot state={state === 'working' && lag === 0 ? 'idle' : state} />
              </Table.Td>
              <Table.Td ta="right">{lag.toLocaleString('en')}</Table.Td>
              <Table.Td ta="right">{oldest === null ? '' : duration(Date.now() - Date.parse(oldest))}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  )
