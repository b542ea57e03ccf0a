import { ActionIcon, Button, ColorSwatch, Group, Stack, Text, Tooltip } from '@mantine/core'
import { IconDownload, IconTrash } from '@tabler/icons-react'
import { Link } from 'react-router'
import { workspaceHeaders } from '../../api/accounts.ts'
import { useChange } from '../../api/operations.ts'
import { counted, language, t, word } from '../../language/messages.ts'
import { When } from '../../parts/inline.tsx'
import { notifyDone, notifyFailed } from '../../shell/notify.tsx'
import { TakeBack } from './take-back.tsx'
import { inBytes, JobProgress, type Transfer, waits } from './transfer.tsx'
import classes from './transfer-list.module.css'

const COLORS: Readonly<Record<Transfer['state'], string>> = {
  uploading: 'gray',
  ready: 'yellow',
  running: 'accent',
  done: 'teal',
  cancelled: 'gray',
  failed: 'red',
  taken_back: 'gray',
}

interface Props {
  readonly transfers: readonly Transfer[]
  readonly isOwner: boolean
  /** Its name. */
  readonly workspace: string
  readonly canEdit: boolean
  readonly onOpen: (id: string) => void
}

/** What was brought and taken, the newest first. */
export const TransferList = ({ transfers, ...may }: Props) => (
  <ul className={classes.list}>
    {transfers.map(transfer => (
      <TransferItem key={transfer.id} of={transfer} {...may} />
    ))}
  </ul>
)

type ItemProps = Omit<Props, 'transfers'> & { readonly of: Transfer }

const TransferItem = ({ of: transfer, ...may }: ItemProps) => {
  const { name, direction, bytes, state, started_by, created_at } = transfer
  return (
    <li className={classes.item}>
      <div className={classes.file}>
        <Text component="bdi" size="sm" fw={550} truncate display="block" title={name}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {direction === 'export' ? t('Export') : t('Import')}
          {bytes > 0 && `, ${inBytes(bytes)}`}, <When at={created_at} />, <bdi>{started_by}</bdi>
        </Text>
      </div>
      <div className={classes.state}>
        <ColorSwatch size={8} color={`var(--mantine-color-${COLORS[state]}-6)`} withShadow={false} aria-hidden />
        <Text size="sm">{word(state)}</Text>
      </div>
      <div className={classes.result}>
        <Result of={transfer} canCancel={may.canEdit && (direction === 'import' || may.isOwner)} />
      </div>
      <Actions of={transfer} {...may} />
    </li>
  )
}

const Actions = ({ of: transfer, isOwner, workspace, canEdit, onOpen }: ItemProps) => {
  const { id, name, direction, state, has_file } = transfer
  const deleting = useChange('discard_transfer', {
    invalidates: ['list_transfers'],
    onSuccess: () => notifyDone(t('The entry and its file are deleted.')),
  })
  const isExport = direction === 'export'
  const hasSignals = !isExport && transfer.format !== 'workspace' && transfer.job !== null && state !== 'taken_back'
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap" className={classes.actions ?? ''}>
      {isExport && isOwner && state === 'done' && has_file && (
        <Button
          component="a"
          href={addressOf(id)}
          download={name}
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
        >
          {t('Download')}
        </Button>
      )}
      {!isExport && state === 'done' && (
        <Button component={Link} to="/app/triage" size="compact-sm" variant="default">
          {t('Go to Triage')}
        </Button>
      )}
      {canEdit && waits(transfer) && (
        <Button size="compact-sm" variant="default" onClick={() => onOpen(id)}>
          {t('Continue')}
        </Button>
      )}
      {isOwner && hasSignals && state !== 'running' && <TakeBack of={transfer} workspace={workspace} />}
      {canEdit && state !== 'running' && (isOwner || !isExport) && (
        <Tooltip
          multiline
          maw={260}
          label={
            hasSignals
              ? t('Delete the entry. Its signals stay, and the import cannot be taken back then.')
              : t('Delete')
          }
        >
          <ActionIcon
            variant="subtle"
            color="gray"
            loading={deleting.isPending}
            onClick={() => deleting.mutate({ id }, { onError: notifyFailed })}
            aria-label={t('Delete {name}', { name })}
          >
            <IconTrash size={16} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  )
}

/** A link carries no headers, so it names its workspace. */
const addressOf = (id: string): string => {
  const workspace = workspaceHeaders()['x-workspace-id']
  return `/api/files/exports/${id}${workspace === undefined ? '' : `?workspace_id=${workspace}`}`
}

const Result = ({
  of: { direction, format, state, job, report, contents, has_file },
  canCancel,
}: {
  readonly of: Transfer
  readonly canCancel: boolean
}) => {
  if (job?.state === 'running') {
    return (
      <JobProgress of={job} doing={direction === 'export' ? t('Exporting') : t('Importing')} canCancel={canCancel} />
    )
  }
  if (job === null) {
    const found =
      report === null
        ? t('Not checked yet')
        : t('{signals} would be accepted', { signals: counted(report.accepted - report.known, 'signal') })
    return (
      <Text size="sm" c="dimmed">
        {contents === null ? found : t('A workspace, not imported yet')}
      </Text>
    )
  }
  const amount =
    format === 'workspace' ? counted(job.done, 'row') : counted(job.done - job.failed - (report?.known ?? 0), 'signal')
  if (state === 'taken_back') {
    return (
      <Text size="sm" c="dimmed">
        {t('{amount} were imported and taken back.', { amount })}
      </Text>
    )
  }
  const done = direction === 'export' ? amount : t('{amount} imported', { amount })
  return (
    <Stack gap={2}>
      <Text size="sm">
        {done}
        {job.failed > 0 && t(', {failed} refused', { failed: job.failed.toLocaleString(language) })}
        {(report?.changed ?? 0) > 0 &&
          t(', {changed} edited', { changed: (report?.changed ?? 0).toLocaleString(language) })}
      </Text>
      {job.message !== null && state !== 'done' && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {job.message}
        </Text>
      )}
      {direction === 'export' && state === 'done' && !has_file && (
        <Text size="xs" c="dimmed">
          {t('The file was kept for a day.')}
        </Text>
      )}
    </Stack>
  )
}
