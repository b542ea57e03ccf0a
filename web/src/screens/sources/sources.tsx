import { Button } from '@mantine/core'
import { IconPlug, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useParams } from 'react-router'
import { useOperation, useOperationPages } from '../../api/hooks.ts'
import { t } from '../../language/messages.ts'
import { Page, PageHeader } from '../../parts/page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../parts/states.tsx'
import { useKeys } from '../../shell/keys.ts'
import { CreateSource } from './create-source.tsx'
import { type Revealed, RevealedSource } from './revealed-source.tsx'
import { SourceDetails } from './source-details.tsx'
import { SourceTable } from './source-table.tsx'

const REFRESH_MS = 5000
const MAX_SOURCES = 100

/** Settings → Sources: where evidence arrives, and how each way in is doing. `/app/settings/sources/<id>` opens one. */
const Sources = () => {
  const chosen = useParams()['*'] ?? ''
  const [creating, setCreating] = useState(false)
  const [revealed, setRevealed] = useState<Revealed | null>(null)
  const canEdit = useMayChange()
  const { items, data, error, refetch, hasNextPage, fetchNextPage } = useOperationPages(
    'list_sources',
    { limit: MAX_SOURCES },
    { refresh_ms: REFRESH_MS },
  )
  useKeys(canEdit ? [{ key: 'c', does: t('Create a source'), run: () => setCreating(true) }] : [])
  const create = canEdit && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      {t('Create source')}
    </Button>
  )
  return (
    <Page>
      <PageHeader
        title={t('Sources')}
        tab={items.find(({ id }) => id === chosen)?.name ?? t('Sources')}
        about={t('A source is an address that senders post or mail to, and the secret that proves it is them.')}
      >
        {items.length > 0 && create}
      </PageHeader>
      <RevealedSource revealed={revealed} onClose={() => setRevealed(null)} />
      {data === undefined &&
        (error === null ? <LoadingState rows={4} height={44} /> : <ErrorState error={error} retry={refetch} />)}
      {data !== undefined && items.length === 0 && (
        <EmptyState icon={IconPlug} title={t('No source yet')}>
          {t('Evidence comes in through sources: your support desk, your code host, a mailbox, a survey tool.')}
          <div style={{ marginTop: 'var(--mantine-spacing-md)' }}>{create || t('A member can create one.')}</div>
        </EmptyState>
      )}
      {items.length > 0 && <SourceTable sources={items} />}
      {hasNextPage && (
        <Button variant="default" size="xs" mt="md" onClick={() => fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
      <CreateSource opened={creating} onClose={() => setCreating(false)} onCreated={setRevealed} />
      <SourceDetails source={items.find(({ id }) => id === chosen)} canEdit={canEdit} onRevealed={setRevealed} />
    </Page>
  )
}

/** Viewers see everything here and change nothing. */
const useMayChange = (): boolean => {
  const { data } = useOperation('list_workspaces', {})
  const role = data?.items.find(({ current }) => current)?.role
  return role !== undefined && role !== 'viewer'
}

export default Sources
