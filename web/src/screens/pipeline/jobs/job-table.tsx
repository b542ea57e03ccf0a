import { Button, Progress, Table, Text } from '@mantine/core'
import type { Output } from '../../../api/client.ts'
import { useChange } from '../../../api/hooks.ts'
import { duration } from '../../../parts/duration.ts'
import { Quote } from '../../../parts/quote.tsx'
import { ScrollingTable } from '../../../parts/scrolling-table.tsx'
import { When } from '../../../parts/when.tsx'
import { notifyDone, notifyFailed } from '../../../shell/notify.tsx'
import tables from '../tables.module.css'
import { titleOf } from './job-kinds.ts'

type Job = Output<'list_jobs'>['items'][number]

interface Props {
  readonly jobs: readonly Job[]
  readonly canEdit: boolean
}

export const JobTable = ({ jobs, canEdit }: Props) => (
  <ScrollingTable minWidth={760} label="Jobs, scrolling">
    <Table aria-label="Jobs" className={tables.quiet ?? ''}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Job</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th w={200}>Progress</Table.Th>
          <Table.Th>Started</Table.Th>
          <Table.Th ta="right">Duration</Table.Th>
          {canEdit && <Table.Th aria-label="Cancel" />}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {jobs.map(job => (
          <JobRow key={job.id} of={job} canEdit={canEdit} />
        ))}
      </Table.Tbody>
    </Table>
  </ScrollingTable>
)

const COLOURS: Readonly<Record<Job['state'], string>> = {
  running: 'inherit',
  done: 'inherit',
  cancelled: 'dimmed',
  failed: 'var(--mantine-color-error)',
}

const JobRow = ({ of: job, canEdit }: { readonly of: Job; readonly canEdit: boolean }) => (
  <Table.Tr>
    <Table.Td maw={340} style={{ verticalAlign: 'top' }}>
      <Text size="sm" fw={550}>
        {titleOf(job.kind)}
      </Text>
      {job.about !== null && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {job.about}
        </Text>
      )}
      {job.message !== null && (
        <Text size="xs" c="dimmed" component="div">
          <Quote text={job.message} most={200} />
        </Text>
      )}
    </Table.Td>
    <Table.Td style={{ verticalAlign: 'top' }}>
      <Text size="sm" c={COLOURS[job.state]}>
        {job.state}
      </Text>
      {job.cancelled_by !== null && (
        <Text size="xs" c="dimmed">
          by <bdi>{job.cancelled_by}</bdi>
        </Text>
      )}
    </Table.Td>
    <Table.Td style={{ verticalAlign: 'top' }}>
      <JobProgress of={job} />
    </Table.Td>
    <Table.Td style={{ verticalAlign: 'top' }}>
      <When at={job.created_at} />
      <Text size="xs" c="dimmed">
        by <bdi>{job.started_by}</bdi>
      </Text>
    </Table.Td>
    <Table.Td ta="right" style={{ verticalAlign: 'top', whiteSpace: 'nowrap' }}>
      {duration((job.finished_at === null ? Date.now() : Date.parse(job.finished_at)) - Date.parse(job.created_at))}
    </Table.Td>
    {canEdit && (
      <Table.Td ta="right" style={{ verticalAlign: 'top' }}>
        {job.state === 'running' && <CancelJob of={job} />}
      </Table.Td>
    )}
  </Table.Tr>
)

const JobProgress = ({ of: { kind, state, done, total, failed } }: { readonly of: Job }) => {
  const share = total === null || total === 0 ? 0 : (100 * done) / total
  return (
    <>
      {state === 'running' && (
        <Progress.Root size="sm" mb={4}>
          <Progress.Section
            value={total === null ? 100 : share}
            animated={total === null}
            striped={total === null}
            aria-label={`Progress: ${titleOf(kind)}`}
          />
        </Progress.Root>
      )}
      <Text size="sm">
        {total === null ? done.toLocaleString('en') : `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`}
      </Text>
      {failed > 0 && (
        <Text size="xs" c="var(--mantine-color-error)">
          {failed.toLocaleString('en')} came to nothing
        </Text>
      )}
    </>
  )
}

const CancelJob = ({ of: { id, kind } }: { readonly of: Job }) => {
  const cancelling = useChange('cancel_job', {
    invalidates: ['list_jobs'],
    onSuccess: () => notifyDone(`${titleOf(kind)} is cancelled. What was done stays done.`),
  })
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={cancelling.isPending}
      onClick={() => cancelling.mutate({ id }, { onError: notifyFailed })}
      aria-label={`Cancel: ${titleOf(kind)}`}
    >
      Cancel
    </Button>
  )
}
