import { Button, Stack, Title } from '@mantine/core'
import { IconDatabaseImport } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useChange, useOperation, useOperationPages } from '../../api/hooks.ts'
import { t } from '../../language/messages.ts'
import { TellingButton } from '../../parts/controls.tsx'
import { Page, PageHeader } from '../../parts/page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../parts/states.tsx'
import { useUrlState } from '../../parts/use-url-state.ts'
import { useKeys } from '../../shell/keys.ts'
import { notifyFailed } from '../../shell/notify.tsx'
import { DropZone } from './drop-zone.tsx'
import { runningJob, waits } from './transfer.tsx'
import { TransferList } from './transfer-list.tsx'
import { WaitingImport } from './waiting-import.tsx'

const DEFAULTS = { file: '' }
/** While a job is at work, and while nothing is. */
const REFRESH_MS = { running: 1000, resting: 15_000 }

/** Files in and out of the workspace. */
const ImportExport = () => {
  const [{ file }, change] = useUrlState(DEFAULTS)
  const [isRunning, setIsRunning] = useState(false)
  const { items, first, error, refetch, fetchNextPage, hasNextPage } = useOperationPages(
    'list_transfers',
    {},
    { refresh_ms: isRunning ? REFRESH_MS.running : REFRESH_MS.resting },
  )
  const works = items.some(item => runningJob(item) !== undefined)
  useEffect(() => setIsRunning(works), [works])
  const role = useOperation('list_workspaces', {}).data?.items.find(({ current }) => current)?.role
  const isOwner = role === 'owner'
  const canEdit = role !== undefined && role !== 'viewer'
  const exporting = useChange('start_export', { invalidates: ['list_transfers'] })
  const startExport = () => exporting.mutate({}, { onError: notifyFailed })
  useKeys(isOwner ? [{ key: 'e', does: t('Export the workspace'), run: startExport }] : [])

  const waiting = items.find(item => item.id === file && waits(item))
  const open = (id: string) => {
    change({ file: id })
    void refetch()
  }
  return (
    <Page width="working">
      <PageHeader
        title={t('Import & export')}
        about={t('Bring Signals from files, or take everything of this workspace along.')}
      >
        <TellingButton
          variant="default"
          missing={isOwner ? null : t('Only an owner can take everything along.')}
          loading={exporting.isPending}
          onClick={startExport}
        >
          {t('Export workspace')}
        </TellingButton>
      </PageHeader>
      <Stack gap="lg">
        {canEdit && waiting === undefined && <DropZone onUploaded={open} />}
        {waiting !== undefined && canEdit && (
          <WaitingImport key={waiting.id} of={waiting} isOwner={isOwner} onLeave={() => change({ file: '' })} />
        )}
        <section aria-labelledby="transfers">
          <Title order={2} mb="sm" id="transfers">
            {t('Imports and exports')}
          </Title>
          {first === undefined &&
            (error === null ? <LoadingState rows={4} /> : <ErrorState error={error} retry={refetch} />)}
          {first !== undefined && error !== null && <ErrorState error={error} retry={refetch} />}
          {first !== undefined && items.length === 0 && (
            <EmptyState icon={IconDatabaseImport} title={t('Nothing was imported or exported yet')}>
              {canEdit
                ? t('Upload a file above: before anything is imported, you see what would come of it.')
                : t('Members of the workspace can import files; you see here what they did.')}
            </EmptyState>
          )}
          {items.length > 0 && <TransferList transfers={items} isOwner={isOwner} canEdit={canEdit} onOpen={open} />}
          {hasNextPage && (
            <Button mt="sm" size="xs" variant="default" onClick={() => void fetchNextPage()}>
              {t('Show earlier ones')}
            </Button>
          )}
        </section>
      </Stack>
    </Page>
  )
}

export default ImportExport
