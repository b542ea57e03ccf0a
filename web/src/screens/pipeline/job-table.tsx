import { Button, Progress, Table, Text } from '@mantine/core'
import type { JobKind } from '../../../../schemas/domain/vocabulary.ts'
import { type Input, type Output, useChange } from '../../api/operations.ts'
import { fromService, language, t, word } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { duration } from '../../parts/formats.ts'
import { When } from '../../parts/inline.tsx'
import { QuietHead } from '../../parts/lists.tsx'
import { Quote } from '../../parts/quote.tsx'
import { StackingTable } from '../../parts/stacking-table.tsx'
import { notifyDone, notifyFailed } from '../../shell/notify.tsx'
import tables from './tables.module.css'

export type Startable = Exclude<Input<'start_job'>['job_kind'], 'replay'>

/** What each kind of long work does, for people. */
const TITLES: Readonly<Record<JobKind, string>> = {
  replay: t('Replay of dead letters'),
  re_embed: t('Read meanings again'),
  re_anchor: t('Place on the map again'),
  re_judge: t('Ask the judge about proposals again'),
  re_scrub: t('Remove personal data again'),
  learn: t('Learn from people’s decisions'),
  find_themes: t('Find themes again'),
  calibrate: t('Calibrate the embedding model'),
  check_import: t('Check a file'),
  import: t('Import'),
  export: t('Export'),
  review: t('Prepare a Product Review'),
  erase: t('Erase'),
  take_out: t('Send repeats that were taken out'),
}

export const titleOf = (kind: JobKind): string => TITLES[kind]

export const STARTABLE: readonly { readonly kind: Startable; readonly about: string }[] = [
  { kind: 're_embed', about: t('Finds the meaning of texts that have none by the present model') },
  { kind: 're_anchor', about: t('The nearest node of the map for each signal') },
  {
    kind: 're_judge',
    about: t('What the judge, a language model that JUDGE_URL names, says of each proposed merge that waits'),
  },
  { kind: 'learn', about: t('From how people classified and placed signals, for the next ones') },
  { kind: 'find_themes', about: t('Which signals are probably about one thing') },
  { kind: 're_scrub', about: t('What the present rules find, everywhere in this workspace') },
]

type Job = Output<'list_jobs'>['items'][number]

interface Props {
  readonly jobs: readonly Job[]
  readonly canEdit: boolean
}

export const JobTable = ({ jobs, canEdit }: Props) => (
  <StackingTable minWidth={760} label={t('Jobs, scrolling')}>
    <Table aria-label={t('Jobs')} className={tables.quiet ?? ''}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Job')}</Table.Th>
          <Table.Th>{t('State')}</Table.Th>
          <Table.Th w={200}>{t('Progress')}</Table.Th>
          <Table.Th>{t('Started')}</Table.Th>
          <Table.Th ta="end">{t('Duration')}</Table.Th>
          {canEdit && <QuietHead label={t('Cancel')} />}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {jobs.map(job => (
          <JobRow key={job.id} of={job} canEdit={canEdit} />
        ))}
      </Table.Tbody>
    </Table>
  </StackingTable>
)

const COLOURS: Readonly<Record<Job['state'], string>> = {
  running: 'inherit',
  done: 'inherit',
  cancelled: 'dimmed',
  failed: 'var(--mantine-color-error)',
}

const JobRow = ({ of: job, canEdit }: { readonly of: Job; readonly canEdit: boolean }) => (
  <Table.Tr>
    <Table.Td maw={340} data-whole style={{ verticalAlign: 'top' }}>
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
        {word(job.state)}
      </Text>
      {job.cancelled_by !== null && (
        <Text size="xs" c="dimmed">
          {rich('by {cancelled_by}', { cancelled_by: <bdi>{job.cancelled_by}</bdi> })}
        </Text>
      )}
    </Table.Td>
    <Table.Td style={{ verticalAlign: 'top' }}>
      <JobProgress of={job} />
    </Table.Td>
    <Table.Td style={{ verticalAlign: 'top' }}>
      <When at={job.created_at} />
      <Text size="xs" c="dimmed">
        {rich('by {started_by}', { started_by: <bdi>{fromService(job.started_by)}</bdi> })}
      </Text>
    </Table.Td>
    <Table.Td ta="end" style={{ verticalAlign: 'top', whiteSpace: 'nowrap' }}>
      {duration((job.finished_at === null ? Date.now() : Date.parse(job.finished_at)) - Date.parse(job.created_at))}
    </Table.Td>
    {canEdit && (
      <Table.Td ta="end" style={{ verticalAlign: 'top' }}>
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
            aria-label={t('Progress: {kind}', { kind: titleOf(kind) })}
          />
        </Progress.Root>
      )}
      <Text size="sm">
        {total === null
          ? done.toLocaleString(language)
          : t('{done} of {total}', { done: done.toLocaleString(language), total: total.toLocaleString(language) })}
      </Text>
      {failed > 0 && (
        <Text size="xs" c="var(--mantine-color-error)">
          {t('{failed} failed', { failed: failed.toLocaleString(language) })}
        </Text>
      )}
    </>
  )
}

const CancelJob = ({ of: { id, kind } }: { readonly of: Job }) => {
  const cancelling = useChange('cancel_job', {
    invalidates: ['list_jobs'],
    onSuccess: () => notifyDone(t('{kind} is cancelled. What was done stays done.', { kind: titleOf(kind) })),
  })
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={cancelling.isPending}
      onClick={() => cancelling.mutate({ id }, { onError: notifyFailed })}
      aria-label={t('Cancel: {kind}', { kind: titleOf(kind) })}
    >
      {t('Cancel')}
    </Button>
  )
}
