import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { type Output, useChange } from '../../api/operations.ts'
import { counted, language, t } from '../../language/messages.ts'
import { When } from '../../parts/inline.tsx'
import { RunningJob } from '../../parts/running-job.tsx'
import { notifyFailed } from '../../shell/notify.tsx'

type Erasure = Output<'list_erasures'>['items'][number]

const TITLES = {
  person: t('A person'),
  signal: t('A Signal'),
  source: t('A source'),
  age: t('What was too old'),
  import: t('An import'),
} as const

interface Props {
  readonly of: Erasure
}

/** One erasure: how far it is, then what went and what was found afterwards. */
export const ErasureItem = ({ of: erasure }: Props) => {
  const { id, kind, label, asked_by, asked_at, finished_at, job } = erasure
  const resuming = useChange('resume_erasure', { invalidates: ['list_erasures'], onError: notifyFailed })
  const isStopped = finished_at === null && job?.state !== 'running'
  return (
    <Paper withBorder p="md" component="article" aria-label={TITLES[kind]}>
      <Stack gap="xs">
        <Group justify="space-between" gap="sm">
          <Text size="sm" fw={550}>
            {TITLES[kind]}
            {label !== '' && (
              <>
                : <bdi>{label}</bdi>
              </>
            )}
          </Text>
          <Text size="xs" c="dimmed">
            <When at={asked_at} />, <bdi>{asked_by}</bdi>
          </Text>
        </Group>
        {finished_at === null && job?.state === 'running' && (
          <RunningJob job={{ id, ...job }} label={t('Erasing')} canCancel={false} invalidates={['list_erasures']}>
            {job.message?.replace(/\.$/, '') ?? t('Begins')}
          </RunningJob>
        )}
        {isStopped && (
          <Group gap="sm">
            <Text size="sm">
              {t('It ended before it was done: {message}', { message: job?.message ?? t('nobody knows why') })}
            </Text>
            <Button
              size="compact-sm"
              variant="default"
              loading={resuming.isPending}
              onClick={() => resuming.mutate({ id })}
            >
              {t('Go on')}
            </Button>
          </Group>
        )}
        {finished_at !== null && <Proof of={erasure} />}
      </Stack>
    </Paper>
  )
}

/** What went by place, and whether the search afterwards found anything. */
const Proof = ({ of: { id, erased_signals, counts, proof, ...rest } }: Props) => {
  const searched = (proof ?? []).filter(({ found }) => found !== null)
  const left = searched.filter(({ found }) => found !== 0)
  const isSearchedWhole = searched.length === (proof?.length ?? 0)
  const save = () => {
    const file = new Blob([JSON.stringify({ id, ...rest, erased_signals, counts, proof }, null, 2)], {
      type: 'application/json',
    })
    const address = URL.createObjectURL(file)
    Object.assign(document.createElement('a'), { href: address, download: `erasure-${id}.json` }).click()
    URL.revokeObjectURL(address)
  }
  return (
    <>
      <Text size="sm">
        {t('{signalsAndRepeats} erased. {what}', {
          signalsAndRepeats: counted(erased_signals, 'signal or repeat', 'signals and repeats'),
          what:
            left.length === 0
              ? t('A search of {places} found nothing of it afterwards.', {
                  places: counted(searched.length, 'place'),
                })
              : t('A search found something left in: {left}.', {
                  left: left.map(({ place, found }) => `${placeName(place)} (${found})`).join(', '),
                }),
        })}
      </Text>
      {!isSearchedWhole && (
        <Text size="sm">
          {t('Files and a backup were not searched yet: they are written anew first, which takes some minutes.')}
        </Text>
      )}
      <Group justify="space-between" gap="sm">
        <Text size="xs" c="dimmed">
          {counts.map(({ place, rows }) => `${placeName(place)} ${rows.toLocaleString(language)}`).join(' · ')}
        </Text>
        <Button size="compact-sm" variant="default" leftSection={<IconDownload size={14} />} onClick={save}>
          {t('Save the proof')}
        </Button>
      </Group>
    </>
  )
}

/** What people call the tables that an erasure goes through. */
const NAMES: Readonly<Record<string, string>> = {
  signals: t('Signals'),
  signals_of_others: t('Signals of others'),
  occurrences: t('Repeats'),
  claims: t('Claims'),
  claim_evidence: t('Evidence'),
  actor_weights: t('Senders'),
  comments: t('Comments'),
  decisions: t('Decisions'),
  decision_objects: t('What Decisions changed'),
  solutions: t('Solutions'),
  living_documents: t('Living Documents'),
  outcomes: t('Outcomes'),
  knowledge_notes: t('Notes of agents'),
  strategy_elements: t('Strategy'),
  product_reviews: t('Product Reviews'),
  map_nodes: t('Map'),
  groups: t('Groups'),
  changed_rows: t('History of changes'),
  dead_letters: t('Dead letters'),
  activity: t('Activity'),
  jobs: t('Jobs'),
  transfers: t('Exports'),
  imported_edits: t('Edits of imports'),
  merge_proposals: t('Proposals'),
  merges: t('Merges'),
  handoff_proposals: t('Pull requests'),
  test_signals: t('Tests of sources'),
  transfer_pieces: t('Files of imports and exports'),
  idempotent_answers: t('Answers kept for repetition'),
}

/** A place of which nothing is known here is shown by its own name. */
export const placeName = (place: string): string => NAMES[place] ?? place.replaceAll('_', ' ')
