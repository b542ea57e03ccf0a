import { Alert, Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { IconDatabaseImport } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useChange, useOperation, useOperationPages } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { onTheirWay } from '../../parts/arrivals.ts'
import { TellingButton } from '../../parts/controls.tsx'
import { moment } from '../../parts/formats.ts'
import { FormFailure } from '../../parts/forms/form-notes.tsx'
import { Figure } from '../../parts/lists.tsx'
import { Page, PageHeader } from '../../parts/page.tsx'
import { EmptyState, ErrorState, LoadingState, Together } from '../../parts/states.tsx'
import { useUrlState } from '../../parts/use-url-state.ts'
import { useKeys } from '../../shell/keys.ts'
import { notifyFailed } from '../../shell/notify.tsx'
import { DiscardTransfer } from './discard-transfer.tsx'
import { DropZone } from './drop-zone.tsx'
import { inBytes } from './in-bytes.ts'
import { SignalsImport } from './signals-import.tsx'
import { runningJob, type Transfer, waits } from './transfer.tsx'
import { TransferList } from './transfer-list.tsx'

const DEFAULTS = { file: '' }
/** While a job is at work or signals are on their way, and while nothing is. */
const REFRESH_MS = { running: 1000, resting: 15_000 }

/** Files in and out of the workspace. */
const ImportExport = () => {
  const [{ file }, change] = useUrlState(DEFAULTS)
  const [isRunning, setIsRunning] = useState(false)
  const { items, first, error, refetch, fetchNextPage, hasNextPage, isFetching } = useOperationPages(
    'list_transfers',
    {},
    { refresh_ms: isRunning ? REFRESH_MS.running : REFRESH_MS.resting },
  )
  const works = items.some(item => runningJob(item) !== undefined || onTheirWay(item) !== null)
  useEffect(() => setIsRunning(works), [works])
  const workspace = useOperation('list_workspaces', {}).data?.items.find(({ current }) => current)
  const role = workspace?.role
  const isOwner = role === 'owner'
  const canEdit = role !== undefined && role !== 'viewer'
  const exporting = useChange('start_export', { invalidates: ['list_transfers'] })
  const startExport = () => exporting.mutate({}, { onError: notifyFailed })
  useKeys(isOwner ? [{ key: 'e', does: t('Export the workspace'), run: startExport }] : [])

  const waiting = items.find(item => item.id === file && waits(item))
  const isGone =
    file !== '' && first !== undefined && !hasNextPage && !isFetching && items.every(({ id }) => id !== file)
  /** What the person brought or went on with here: its part of the page takes the focus. */
  const [opened, setOpened] = useState<string | null>(null)
  const open = (id: string) => {
    setOpened(id)
    change({ file: id })
    void refetch()
  }
  return (
    <Page width="working">
      <PageHeader
        title={t('Import & export')}
        about={t('Import signals from files, or export everything in this workspace.')}
      >
        <TellingButton
          variant="default"
          missing={isOwner ? null : t('Only an owner can export everything.')}
          loading={exporting.isPending}
          onClick={startExport}
        >
          {t('Export workspace')}
        </TellingButton>
      </PageHeader>
      <Together>
        <Stack gap="lg">
          {isGone && (
            <Alert variant="default" role="status" title={t('The file is not here any more')}>
              {t('Somebody deleted it, or its day is over. Nothing was imported from it; bring it again to go on.')}
            </Alert>
          )}
          {canEdit && waiting === undefined && <DropZone onUploaded={open} />}
          {waiting !== undefined && canEdit && (
            <WaitingImport
              key={waiting.id}
              of={waiting}
              isOpened={opened === waiting.id}
              isOwner={isOwner}
              onLeave={() => change({ file: '' })}
            />
          )}
          <section aria-labelledby="transfers">
            <Title order={2} mb="sm" id="transfers">
              {t('Imports and exports')}
            </Title>
            {first === undefined &&
              (error === null ? <LoadingState rows={4} /> : <ErrorState error={error} retry={refetch} />)}
            {first !== undefined && error !== null && <ErrorState error={error} retry={refetch} />}
            {first !== undefined && items.length === 0 && (
              <EmptyState icon={IconDatabaseImport} heading="h3" title={t('Nothing was imported or exported yet')}>
                {canEdit
                  ? t('Upload a file above: before anything is imported, you see what would come of it.')
                  : t('Members of the workspace can import files; you see here what they did.')}
              </EmptyState>
            )}
            {items.length > 0 && (
              <TransferList
                transfers={items}
                workspace={workspace?.name ?? ''}
                isOwner={isOwner}
                canEdit={canEdit}
                onOpen={open}
              />
            )}
            {hasNextPage && (
              <Button mt="sm" size="xs" variant="default" onClick={() => void fetchNextPage()}>
                {t('Show earlier ones')}
              </Button>
            )}
          </section>
        </Stack>
      </Together>
    </Page>
  )
}

export default ImportExport

const FORMATS: Readonly<Record<Transfer['format'], string>> = {
  csv: 'CSV',
  json_lines: 'JSON Lines',
  json: 'JSON',
  workspace: t('Export of a workspace'),
}

interface Props {
  readonly of: Transfer
  /** Whether the person has just asked for it. */
  readonly isOpened: boolean
  readonly isOwner: boolean
  readonly onLeave: () => void
}

/** An uploaded file that waits for what the person says of it. */
const WaitingImport = ({ of: transfer, isOpened, isOwner, onLeave }: Props) => {
  const part = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isOpened) part.current?.focus()
  }, [isOpened])
  const { id, name, bytes, format, contents } = transfer
  const [isDiscarding, setDiscarding] = useState(false)
  return (
    <Paper ref={part} tabIndex={-1} component="section" withBorder p="lg" radius="lg" aria-labelledby="waiting-import">
      <Group justify="space-between" align="flex-start" mb="md" wrap="nowrap">
        <Stack gap={2} miw={0}>
          <Title order={2} id="waiting-import" style={{ overflowWrap: 'anywhere' }}>
            <bdi>{name}</bdi>
          </Title>
          <Text size="sm" c="dimmed">
            {t('{format}, {bytes}. The file is sealed, and is deleted after a day if you do nothing.', {
              format: FORMATS[format],
              bytes: inBytes(bytes),
            })}
          </Text>
        </Stack>
        <Button size="xs" variant="default" onClick={() => setDiscarding(true)}>
          {t('Discard')}
        </Button>
        <DiscardTransfer
          of={transfer}
          about={t('Nothing of it is imported, and the file is deleted. This cannot be undone.')}
          opened={isDiscarding}
          onClose={() => setDiscarding(false)}
          onDiscarded={onLeave}
        />
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
          value: moment(contents.exported_at),
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
      <FormFailure form={null} error={starting.error} title={t('It was not imported')} />
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
