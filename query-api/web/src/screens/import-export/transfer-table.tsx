import { Badge, Button, Group, Stack, Table, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useChange } from '../../api/hooks.ts'
import { workspaceHeaders } from '../../api/workspace.ts'
import { When } from '../../parts/when.tsx'
import { notifyDone, notifyFailed } from '../../shell/notify.tsx'
import { JobProgress } from './job-progress.tsx'
import { count, inBytes, type Transfer, waits } from './transfer.ts'

const COLORS: Readonly<Record<Transfer['state'], string>> = {
  uploading: 'gray',
  ready: 'yellow',
  running: 'accent',
  done: 'teal',
  cancelled: 'gray',
  failed: 'red',
}

interface Props {
  readonly transfers: readonly Transfer[]
  readonly isOwner: boolean
  readonly mayChange: boolean
  readonly onOpen: (id: string) => void
}

/** What was brought and taken, the newest first. */
export const TransferTable = ({ transfers, ...may }: Props) => (
  <Table.ScrollContainer minWidth={640} type="native">
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>File</Table.Th>
          <Table.Th w={110}>State</Table.Th>
          <Table.Th>Result</Table.Th>
          <Table.Th w={110}>Started</Table.Th>
          <Table.Th w={190} aria-label="Actions" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {transfers.map(transfer => (
          <TransferRow key={transfer.id} of={transfer} {...may} />
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
)

const TransferRow = ({
  of: transfer,
  isOwner,
  mayChange,
  onOpen,
}: Omit<Props, 'transfers'> & { readonly of: Transfer }) => {
  const { id, name, direction, bytes, state, started_by, created_at, has_file } = transfer
  const deleting = useChange('discard_transfer', {
    invalidates: ['list_transfers'],
    onSuccess: () => notifyDone('The entry and its file are deleted.'),
  })
  const isExport = direction === 'export'
  return (
    <Table.Tr>
      <Table.Td maw={260}>
        <Text component="bdi" size="sm" fw={550} truncate display="block" title={name}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {isExport ? 'Export' : 'Import'}
          {bytes > 0 && `, ${inBytes(bytes)}`}
        </Text>
      </Table.Td>
      <Table.Td>
        <Badge variant="light" color={COLORS[state]} tt="none" fw={550}>
          {state}
        </Badge>
      </Table.Td>
      <Table.Td>
        <Result of={transfer} mayCancel={mayChange} />
      </Table.Td>
      <Table.Td>
        <When at={created_at} />
        <Text component="bdi" size="xs" c="dimmed" display="block" truncate maw={110}>
          {started_by}
        </Text>
      </Table.Td>
      <Table.Td>
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          {isExport && isOwner && state === 'done' && has_file && (
            <Button
              component="a"
              href={addressOf(id)}
              download={name}
              size="compact-sm"
              variant="light"
              leftSection={<IconDownload size={14} aria-hidden />}
            >
              Download
            </Button>
          )}
          {mayChange && waits(transfer) && (
            <Button size="compact-sm" variant="light" onClick={() => onOpen(id)}>
              Continue
            </Button>
          )}
          {mayChange && state !== 'running' && (isOwner || !isExport) && (
            <Button
              size="compact-sm"
              variant="subtle"
              color="gray"
              loading={deleting.isPending}
              onClick={() => deleting.mutate({ id }, { onError: notifyFailed })}
              aria-label={`Delete ${name}`}
            >
              Delete
            </Button>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  )
}

/** A link carries no headers, so it names its workspace. */
const addressOf = (id: string): string => {
  const workspace = workspaceHeaders()['x-workspace-id']
  return `/api/files/exports/${id}${workspace === undefined ? '' : `?workspace_id=${workspace}`}`
}

const Result = ({
  of: { direction, format, state, job, report, contents, has_file },
  mayCancel,
}: {
  readonly of: Transfer
  readonly mayCancel: boolean
}) => {
  if (job?.state === 'running') {
    return <JobProgress of={job} doing={direction === 'export' ? 'Exporting' : 'Importing'} mayCancel={mayCancel} />
  }
  if (job === null) {
    const found = report === null ? 'Not tried yet' : `${count(report.accepted, 'Signal')} would be accepted`
    return (
      <Text size="sm" c="dimmed">
        {contents === null ? found : 'A workspace, not imported yet'}
      </Text>
    )
  }
  const amount = format === 'workspace' ? count(job.done, 'row') : count(job.done - job.failed, 'Signal')
  const done = direction === 'export' ? amount : `${amount} imported`
  return (
    <Stack gap={2}>
      <Text size="sm">
        {done}
        {job.failed > 0 && `, ${job.failed.toLocaleString('en')} refused`}
      </Text>
      {job.message !== null && state !== 'done' && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {job.message}
        </Text>
      )}
      {direction === 'export' && state === 'done' && !has_file && (
        <Text size="xs" c="dimmed">
          The file was kept for a day.
        </Text>
      )}
    </Stack>
  )
}
