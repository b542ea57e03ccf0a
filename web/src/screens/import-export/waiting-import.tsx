import { Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useChange } from '../../api/hooks.ts'
import { language } from '../../language/language.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { TellingButton } from '../../parts/controls.tsx'
import { Figure } from '../../parts/lists.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { notifyFailed } from '../../shell/notify.tsx'
import { SignalsImport } from './signals-import.tsx'
import { inBytes, type Transfer } from './transfer.tsx'

const FORMATS: Readonly<Record<Transfer['format'], string>> = {
  csv: 'CSV',
  json_lines: 'JSON Lines',
  workspace: t('Export of a workspace'),
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
            {t('{format}, {bytes}. The file is sealed, and gone after a day if you do nothing.', {
              format: FORMATS[format],
              bytes: inBytes(bytes),
            })}
          </Text>
        </Stack>
        <Button
          size="xs"
          variant="default"
          loading={discarding.isPending}
          onClick={() => discarding.mutate({ id }, { onError: notifyFailed })}
        >
          {t('Discard')}
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

const SHOWN = ['signals', 'claims', 'solutions', 'decisions'] as const

interface WorkspaceImportProps {
  readonly of: Transfer
  readonly contents: NonNullable<Transfer['contents']>
  readonly canImport: boolean
  readonly onStarted: () => void
}

/** An export of a workspace that was uploaded: what it holds, and what importing it means. */
const WorkspaceImport = ({ of: { id }, contents, canImport, onStarted }: WorkspaceImportProps) => {
  const starting = useChange('start_import', { invalidates: ['list_transfers'], onSuccess: onStarted })
  const rowsOf = (table: string): number => contents.tables.find(each => each.table === table)?.rows ?? 0
  return (
    <Stack gap="lg">
      <Text size="sm">
        {rich('Everything that the workspace {workspace} owned on {value}.', {
          workspace: <bdi>{contents.workspace}</bdi>,
          value: new Date(contents.exported_at).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' }),
        })}
      </Text>
      <SimpleGrid component="dl" cols={{ base: 2, sm: 4 }} m={0}>
        {SHOWN.map(table => (
          <Figure key={table} label={`${table.charAt(0).toUpperCase()}${table.slice(1)}`} value={rowsOf(table)} />
        ))}
      </SimpleGrid>
      <Text size="sm" c="dimmed" className="reading">
        {t(
          'It goes into a workspace that is empty, which is then the same, with the same references. Members and keys stay where they are, and each source needs a new secret before it takes anything.',
        )}
      </Text>
      {starting.error !== null && <ErrorState error={starting.error} title={t('It was not imported')} />}
      <Group gap="sm">
        <TellingButton
          missing={canImport ? null : t('Only an owner can import a workspace.')}
          loading={starting.isPending}
          onClick={() => starting.mutate({ id })}
        >
          {t('Import into this workspace')}
        </TellingButton>
        {!canImport && (
          <Text size="sm" c="dimmed">
            {t('Only an owner can import a workspace.')}
          </Text>
        )}
      </Group>
    </Stack>
  )
}
