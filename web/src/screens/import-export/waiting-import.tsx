import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useChange } from '../../api/hooks.ts'
import { notifyFailed } from '../../shell/notify.tsx'
import { SignalsImport } from './signals-import.tsx'
import { inBytes, type Transfer } from './transfer.ts'
import { WorkspaceImport } from './workspace-import.tsx'

const FORMATS: Readonly<Record<Transfer['format'], string>> = {
  csv: 'CSV',
  json_lines: 'JSON Lines',
  workspace: 'Export of a workspace',
}

interface Props {
  readonly of: Transfer
  readonly isOwner: boolean
  readonly onLeave: () => void
}

/** An uploaded file that waits for what the person says of it. */
export const WaitingImport = ({ of: transfer, isOwner, onLeave }: Props) => {
  const { id, name, bytes, format, contents } = transfer
  const discarding = useChange('discard_transfer', { invalidates: ['list_transfers'], onSuccess: onLeave })
  return (
    <Paper component="section" withBorder p="lg" radius="lg" aria-labelledby="waiting-import">
      <Group justify="space-between" align="flex-start" mb="md" wrap="nowrap">
        <Stack gap={2} miw={0}>
          <Title order={2} id="waiting-import" style={{ overflowWrap: 'anywhere' }}>
            <bdi>{name}</bdi>
          </Title>
          <Text size="sm" c="dimmed">
            {FORMATS[format]}, {inBytes(bytes)}. The file is sealed, and gone after a day if you do nothing.
          </Text>
        </Stack>
        <Button
          size="xs"
          variant="default"
          loading={discarding.isPending}
          onClick={() => discarding.mutate({ id }, { onError: notifyFailed })}
        >
          Discard
        </Button>
      </Group>
      {contents === null ? (
        <SignalsImport key={id} of={transfer} onStarted={onLeave} />
      ) : (
        <WorkspaceImport of={transfer} contents={contents} canImport={isOwner} onStarted={onLeave} />
      )}
    </Paper>
  )
}
