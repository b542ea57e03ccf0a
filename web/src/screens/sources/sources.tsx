import { Alert, Anchor, Badge, Box, Button, Drawer, Group, Stack, Text, Title } from '@mantine/core'
import { IconPlug, IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { DAY_MS } from '../../../../schemas/domain/durations.ts'
import { MAX_LIMIT } from '../../../../schemas/domain/limits.ts'
import { useOperation, useOperationPages } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { unlessBeneath } from '../../parts/beneath.ts'
import { Copyable } from '../../parts/copyable.tsx'
import { moment } from '../../parts/formats.ts'
import { When } from '../../parts/inline.tsx'
import { LiveStatus } from '../../parts/live-status.tsx'
import { Page, PageHeader } from '../../parts/page.tsx'
import { EmptyState, ErrorState, LoadingState, NothingHere } from '../../parts/states.tsx'
import { useHistorySheet } from '../../parts/use-url-state.ts'
import { useKeys } from '../../shell/keys.ts'
import { CreateSource } from './create-source.tsx'
import { kindOf } from './kinds.ts'
import { type Revealed, RevealedSource } from './revealed-source.tsx'
import { SendTest } from './send-test.tsx'
import { SourceActions } from './source-actions.tsx'
import { SourceHealth } from './source-health.tsx'
import { SOURCE_SHEET, type Source, SourceTable } from './source-table.tsx'

const REFRESH_MS = 5000

/** Settings → Sources: where evidence arrives, and how each way in is doing. `/app/settings/sources/<id>` opens one. */
const Sources = () => {
  const chosen = useParams()['*'] ?? ''
  const [creating, setCreating] = useState(false)
  const [revealed, setRevealed] = useState<Revealed | null>(null)
  const canEdit = useMayChange()
  const { items, data, error, refetch, hasNextPage, fetchNextPage } = useOperationPages(
    'list_sources',
    { limit: MAX_LIMIT },
    { refresh_ms: REFRESH_MS },
  )
  const listed = items.find(({ id }) => id === chosen)
  // The address may be of one that the pages read so far do not have.
  const isElsewhere = chosen !== '' && data !== undefined && listed === undefined
  const { data: named } = useOperation(
    'list_sources',
    { text: chosen, limit: 1 },
    { enabled: isElsewhere, refresh_ms: REFRESH_MS },
  )
  const source = listed ?? named?.items.find(({ id }) => id === chosen)
  const shown = useRef(source)
  if (source !== undefined) shown.current = source
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
        awaits={data === undefined && error === null}
        tab={source?.name ?? t('Sources')}
        about={t('A source is an address that senders send data or mail to, and a secret that proves who they are.')}
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
      {isElsewhere && named !== undefined && source === undefined && (
        <DeletedMeanwhile name={shown.current?.id === chosen ? shown.current.name : null} />
      )}
      {items.length > 0 && <SourceTable sources={items} />}
      {hasNextPage && (
        <Button variant="default" size="xs" mt="md" onClick={() => fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
      <CreateSource
        opened={creating}
        existing={new Set(items.map(({ kind }) => kind))}
        onClose={() => setCreating(false)}
        onCreated={setRevealed}
      />
      <SourceDetails source={source} canEdit={canEdit} onRevealed={setRevealed} />
    </Page>
  )
}

/** Says who did it. */
const removalsOfToday = (): string =>
  `/app/changes?kind=removals&range=1&from=${new Date(Date.now() - DAY_MS).toISOString()}`

/** `name`: of a source that was open here until somebody deleted it; null where none was. */
const DeletedMeanwhile = ({ name }: { readonly name: string | null }) =>
  name === null ? (
    <NothingHere>{t('No source of this workspace has this address. It may be deleted.')}</NothingHere>
  ) : (
    <Alert variant="light" mb="md" role="note">
      <LiveStatus>
        <Text size="sm">
          {rich(
            'Somebody has deleted {name} meanwhile. Its senders are refused; the signals that came through it stay.',
            { name: <bdi>“{name}”</bdi> },
          )}{' '}
          <Anchor component={Link} to={removalsOfToday()} inherit underline="always">
            {t('Who did it')}
          </Anchor>
        </Text>
      </LiveStatus>
    </Alert>
  )

/** Viewers see everything here and change nothing. */
const useMayChange = (): boolean => {
  const { data } = useOperation('list_workspaces', {})
  const role = data?.items.find(({ current }) => current)?.role
  return role !== undefined && role !== 'viewer'
}

export default Sources

interface Props {
  /** Undefined: none is open. */
  readonly source: Source | undefined
  readonly canEdit: boolean
  readonly onRevealed: (revealed: Revealed) => void
}

/** One source: its address, how it is doing, a test, and what can be done with it. */
const SourceDetails = ({ source, canEdit, onRevealed }: Props) => {
  const navigate = useNavigate()
  const sheet = useHistorySheet(SOURCE_SHEET)
  // Who came by an address of the source has no list to go back to.
  const close = () => (sheet.opened ? sheet.close() : navigate('/app/settings/sources', { replace: true }))
  return (
    <Drawer
      opened={source !== undefined}
      onClose={unlessBeneath(close)}
      position="right"
      size="lg"
      title={<bdi>{source?.name}</bdi>}
    >
      {source !== undefined && (
        <Stack gap="lg">
          <Facts source={source} />
          <SourceHealth id={source.id} canEdit={canEdit}>
            {canEdit && <SendTest source={source} />}
            {canEdit && <SourceActions source={source} onRevealed={onRevealed} onDeleted={close} />}
          </SourceHealth>
        </Stack>
      )}
    </Drawer>
  )
}

const Facts = ({ source }: { readonly source: Source }) => {
  const { url, address, settings, paused_at, previous_secret_valid_until: until } = source
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Text size="sm" c="dimmed">
          {rich('{label}, created {when}, in metrics {metrics_label}', {
            label: kindOf(source).label,
            when: <When at={source.created_at} />,
            metrics_label: <code>{source.metrics_label}</code>,
          })}
        </Text>
        {paused_at !== null && (
          <Badge variant="light" color="yellow" tt="none">
            {t('paused')}
          </Badge>
        )}
      </Group>
      {url !== null && <Copyable label="URL" text={url} />}
      {address !== null && <Copyable label={t('Address')} text={address} />}
      {url === null && address === null && (
        <Text size="sm">{t('This installation takes no mail: its operator has to set INGEST_MAIL_DOMAIN.')}</Text>
      )}
      {paused_at !== null && (
        <Text size="sm">
          {rich('Paused {when}: its senders are told to come back later.', { when: <When at={paused_at} /> })}
        </Text>
      )}
      {until !== null && (
        <Text size="sm">
          {t('The secret before the last rotation is accepted until {value}.', { value: moment(until) })}
        </Text>
      )}
      {settings.mapping !== undefined && (
        <Box>
          <Title order={3} size="h3" mb="xs">
            {t('Mapping')}
          </Title>
          <Text
            component="dl"
            size="sm"
            m={0}
            style={{ display: 'grid', gridTemplateColumns: 'max-content 1fr', gap: '4px 16px' }}
          >
            {Object.entries(settings.mapping).map(([field, pointer]) => (
              <Box key={field} style={{ display: 'contents' }}>
                <Text component="dt" size="sm" c="dimmed">
                  {field}
                </Text>
                <Text component="dd" size="sm" m={0} ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                  {pointer}
                </Text>
              </Box>
            ))}
          </Text>
        </Box>
      )}
    </Stack>
  )
}
