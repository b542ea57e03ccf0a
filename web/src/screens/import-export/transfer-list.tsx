import { ActionIcon, Anchor, Button, ColorSwatch, Group, Stack, Text, Tooltip } from '@mantine/core'
import { IconDownload, IconTrash } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { workspaceHeaders } from '../../api/accounts.ts'
import { counted, language, plural, t, word } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { arrivedOf, onTheirWay } from '../../parts/arrivals.ts'
import { When } from '../../parts/inline.tsx'
import { say } from '../../shell/say.ts'
import { DiscardTransfer } from './discard-transfer.tsx'
import { inBytes } from './in-bytes.ts'
import { TakeBack } from './take-back.tsx'
import { JobProgress, type Transfer, waits } from './transfer.tsx'
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
  const result = useRef<HTMLDivElement>(null)
  const before = useRef(state)
  useEffect(() => {
    const hasEnded = before.current === 'running' && state !== 'running'
    before.current = state
    if (hasEnded) say(`${name}: ${word(state)}. ${result.current?.textContent ?? ''}`)
  }, [name, state])
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
      <Stack className={classes.result ?? ''} gap={2} ref={result}>
        <Result of={transfer} canCancel={may.canEdit && (direction === 'import' || may.isOwner)} />
        <Arrival of={transfer} />
      </Stack>
      <Actions of={transfer} {...may} />
    </li>
  )
}

const Actions = ({ of: transfer, isOwner, workspace, canEdit, onOpen }: ItemProps) => {
  const { id, name, direction, state, has_file } = transfer
  const [isDeleting, setDeleting] = useState(false)
  const isExport = direction === 'export'
  const hasSignals = !isExport && transfer.format !== 'workspace' && transfer.job !== null && state !== 'taken_back'
  const didNothing = transfer.report !== null && bringsOf(transfer.report) + transfer.report.changed === 0
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
      {state === 'done' && transfer.arrival !== null && transfer.arrival.signals > 0 && (
        <Button component={Link} to="/app/themes" size="compact-sm" variant="default">
          {t('Themes')}
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
      {isOwner && hasSignals && !didNothing && state !== 'running' && <TakeBack of={transfer} workspace={workspace} />}
      {canEdit && state !== 'running' && (isOwner || !isExport) && (
        <>
          <Tooltip label={t('Delete')}>
            <ActionIcon
              variant="subtle"
              color="gray"
              onClick={() => setDeleting(true)}
              aria-label={t('Delete {name}', { name })}
            >
              <IconTrash size={16} stroke={1.6} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <DiscardTransfer
            of={transfer}
            about={
              hasSignals && !didNothing
                ? t('Its signals stay, and the import cannot be taken back then.')
                : t('Its file is deleted too. This cannot be undone.')
            }
            opened={isDeleting}
            onClose={() => setDeleting(false)}
          />
        </>
      )}
    </Group>
  )
}

/** How many signals of an import are through the pipeline, which they are a while after the import has ended. */
const Arrival = ({ of: transfer }: Pick<ItemProps, 'of'>) => {
  const { state, arrival } = transfer
  if (arrival === null || arrival.signals === 0 || state === 'taken_back') return null
  const moving = onTheirWay(transfer)
  const { arrived, dead } = arrival
  return (
    <Text size="xs" c="dimmed">
      {moving !== null
        ? t('{so_far} The others are still in the nine steps.', { so_far: arrivedOf(moving) })
        : arrived > 0 &&
          plural(arrived, '{number} signal has reached its place.', 'All {number} signals have reached their place.')}
      {dead > 0 && (
        <>
          {' '}
          {rich('Failed, waiting in <link>Pipeline</link>: {number}.', {
            link: inner => (
              <Anchor component={Link} to="/app/pipeline" inherit underline="always">
                {inner}
              </Anchor>
            ),
            number: dead.toLocaleString(language),
          })}
        </>
      )}
    </Text>
  )
}

const bringsOf = ({ accepted, known }: NonNullable<Transfer['report']>): number => accepted - known

/** A link carries no headers, so it names its workspace. */
const addressOf = (id: string): string =>
  `/api/files/exports/${id}?workspace_id=${workspaceHeaders()['x-workspace-id']}`

const Result = ({
  of: { direction, format, state, job, repeats, report, contents, has_file },
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
        : t('{added} new, {known} here already, {changed} changed', {
            added: bringsOf(report).toLocaleString(language),
            known: (report.known - report.changed).toLocaleString(language),
            changed: report.changed.toLocaleString(language),
          })
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
        {report !== null && bringsOf(report) === 0
          ? t('{signals}: that was taken back.', { signals: counted(report.changed, 'edited signal') })
          : t('{amount} were imported and taken back.', { amount })}
      </Text>
    )
  }
  if (state === 'done' && direction === 'import' && report !== null && bringsOf(report) + report.changed === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('All of it was here already: there is nothing to take back.')}
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
        {repeats !== null && repeats > 0 && (
          <>
            {', '}
            <Anchor component={Link} to="/app/triage?order=occurrences" inherit underline="always">
              {plural(repeats, '{number} of them repeats another', '{number} of them repeat others')}
            </Anchor>
          </>
        )}
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
