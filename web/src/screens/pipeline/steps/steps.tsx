import { Anchor, Group, List, SegmentedControl, SimpleGrid, Table, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { MAX_CHARACTERS } from '../../../../../schemas/domain/limits.ts'
import { toPeople } from '../../../api/http.ts'
import { useChange, useOperation } from '../../../api/operations.ts'
import { language, plural, t, word } from '../../../language/messages.ts'
import { ChangeDialog } from '../../../parts/change-dialog.tsx'
import { duration } from '../../../parts/formats.ts'
import { LimitedTextarea } from '../../../parts/forms/limited-text.tsx'
import { useNewForm } from '../../../parts/forms/use-form.ts'
import { Figure } from '../../../parts/lists.tsx'
import { ErrorState, LoadingState } from '../../../parts/states.tsx'
import { useUrlState } from '../../../parts/use-url-state.ts'
import { notifyDone } from '../../../shell/notify.tsx'
import tables from '../tables.module.css'
import { type Lane, laneOf, rate, type StepName, type Watched, type WatchedStep } from './lane.ts'
import classes from './step-table.module.css'
import { StateDot, StepTable } from './step-table.tsx'

const REFRESH_MS = 3000
const DEAD_LETTERS_REFRESH_MS = 5000
const DEFAULTS = { lane: 'live' }

const LANES: readonly { readonly value: Lane; readonly label: string }[] = [
  { value: 'live', label: t('Live') },
  { value: 'bulk', label: t('Bulk') },
]

/** What each step does at this moment, in one lane, and what waits for it. */
export const Steps = () => {
  const [{ lane: chosen }, change] = useUrlState(DEFAULTS)
  const lane: Lane = chosen === 'bulk' ? 'bulk' : 'live'
  const [pausing, setPausing] = useState<StepName | null>(null)
  const { data, error, refetch } = useOperation('watch_pipeline', {}, { refresh_ms: REFRESH_MS })
  const { data: deadLetters } = useOperation('inspect_pipeline', { limit: 1 }, { refresh_ms: DEAD_LETTERS_REFRESH_MS })
  if (data === undefined) {
    return error === null ? <LoadingState rows={10} /> : <ErrorState error={error} retry={refetch} />
  }
  const pausingStep = data.steps.find(({ step }) => step === pausing)
  return (
    <>
      {error !== null && <ErrorState error={error} retry={refetch} title={t('These figures may be out of date')} />}
      <Totals of={data} lane={lane} deadLetters={deadLetters?.count} />
      <Group justify="space-between" align="end" mb="sm" mt="lg">
        <Text size="sm" c="dimmed">
          {plural(
            data.processors,
            'One processor, over the last minute, of the whole installation. Dead letters are this workspace’s.',
            '{number} processors, over the last minute, of the whole installation. Dead letters are this workspace’s.',
          )}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={t('Lane')}
          data={[...LANES]}
          value={lane}
          onChange={value => change({ lane: value })}
        />
      </Group>
      <StepTable of={data} lane={lane} groups={deadLetters?.groups ?? []} onPause={setPausing} />
      {data.unavailable_reason !== null && (
        <Text size="xs" c="dimmed" mt="sm" className="reading">
          {toPeople(data.unavailable_reason)}
        </Text>
      )}
      <Queues of={data.queues} />
      {pausingStep !== undefined && <PauseStep of={pausingStep} among={data.steps} onClose={() => setPausing(null)} />}
    </>
  )
}

interface TotalsProps {
  readonly of: Watched
  readonly lane: Lane
  /** This workspace’s dead letters that wait; undefined until they are counted. */
  readonly deadLetters: number | undefined
}

/** The pipeline in five numbers: what comes in, what comes out, and what waits on the way. */
const Totals = ({ of: { steps, queues }, lane, deadLetters }: TotalsProps) => {
  const figures = steps.map(step => ({ step: step.step, ...laneOf(step, lane) }))
  const of = (name: StepName) => figures.find(({ step }) => step === name)
  const waiting = figures.reduce((sum, { waiting }) => sum + (waiting?.lag ?? 0), 0)
  const oldest = figures.flatMap(({ waiting }) => waiting?.oldest_at ?? []).toSorted()[0]
  const retries = queues.filter(({ queue }) => queue.startsWith('retry.')).reduce((sum, { lag }) => sum + lag, 0)
  const stored = of('insert')?.p95_since_receipt_ms ?? null
  return (
    <SimpleGrid component="dl" cols={{ base: 2, xs: 3, md: 6 }} spacing="lg" m={0}>
      <Figure label={t('Coming in')} value={rate(of('validate')?.per_second ?? 0)} />
      <Figure label={t('Stored')} value={rate(of('insert')?.per_second ?? 0)} />
      <Figure label={t('Received to stored, p95')} value={stored === null ? '–' : duration(stored)} />
      <Figure
        label={t('Waiting')}
        value={waiting}
        about={
          oldest === undefined
            ? t('nothing waits')
            : t('oldest {number}', { number: duration(Date.now() - Date.parse(oldest)) })
        }
      />
      <Figure label={t('Retries')} value={retries} />
      <Figure
        label={t('Dead letters')}
        value={deadLetters ?? '–'}
        about={
          deadLetters !== undefined &&
          deadLetters > 0 && (
            <Anchor component={Link} to="/app/pipeline/dead-letters" size="xs" aria-description={t('Dead letters')}>
              {t('see them')}
            </Anchor>
          )
        }
      />
    </SimpleGrid>
  )
}

const NAMES: Readonly<Record<string, string>> = {
  'dead-letters': t('Dead letters'),
  activity: t('Activity'),
  metrics: t('Metric points'),
}

const nameOf = (queue: string): string => {
  const [, delay] = /^retry\.(.+)$/.exec(queue) ?? []
  return delay === undefined
    ? (NAMES[queue] ?? queue)
    : t('Retries after {delay}', { delay: delay.replace(/(?<=\d)m$/, ' min').replace(/(?<=\d)(?=[a-z])/, ' ') })
}

interface QueuesProps {
  readonly of: Watched['queues']
}

/** What waits beside the steps: for its time to be tried again, or to be written down. */
const Queues = ({ of: queues }: QueuesProps) =>
  queues.length > 0 && (
    <>
      <Title order={2} mt="xl" mb="sm">
        {t('Other queues')}
      </Title>

      <Table aria-label={t('Other queues')} className={`${tables.quiet} ${classes.steps}`} maw={640}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Queue')}</Table.Th>
            <Table.Th>{t('State')}</Table.Th>
            <Table.Th ta="end">{t('Waiting')}</Table.Th>
            <Table.Th ta="end">{t('Oldest')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {queues.map(({ queue, state, lag, oldest_at: oldest, reason }) => (
            <Table.Tr key={queue}>
              <Table.Td style={{ whiteSpace: 'normal' }}>{nameOf(queue)}</Table.Td>
              <Table.Td title={reason}>
                <StateDot state={state === 'working' && lag === 0 ? 'idle' : state} />
              </Table.Td>
              <Table.Td ta="end">{lag.toLocaleString(language)}</Table.Td>
              <Table.Td ta="end">{oldest === null ? '' : duration(Date.now() - Date.parse(oldest))}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  )

interface PauseStepProps {
  readonly of: WatchedStep
  /** All steps, of which some may stand still with it. */
  readonly among: readonly WatchedStep[]
  readonly onClose: () => void
}

/** Asks why a step is to be held still, and says what that means. */
const PauseStep = ({ of: { step, head }, among, onClose }: PauseStepProps) => {
  const form = useNewForm(`pause ${step}`, { reason: '' })
  const { reason } = form.values
  const pausing = useChange('pause_step', {
    invalidates: ['watch_pipeline'],
    onSuccess: () => {
      notifyDone(t('{step} is paused within seconds.', { step: word(step) }))
    },
  })
  const segment = among.filter(each => each.head !== null && each.head === head).map(each => each.step)
  return (
    <ChangeDialog
      opened
      title={t('Pause {step}?', { step: word(step) })}
      action={t('Pause {step}', { step: word(step) })}
      change={pausing}
      form={form}
      failed={t('That did not work')}
      missing={reason.trim() === '' ? t('why') : null}
      onSubmit={() => pausing.mutate({ step, reason })}
      onClose={onClose}
    >
      <List size="sm" spacing="xs">
        {segment.length > 1 && (
          <List.Item>
            {t('{segment} run together: all {segment2} are paused.', {
              segment: segment.map(word).join(', '),
              segment2: segment.length,
            })}
          </List.Item>
        )}
        <List.Item>
          {t('This affects every workspace of this installation, in both lanes, until somebody resumes it.')}
        </List.Item>
        <List.Item>{t('What comes meanwhile is accepted and waits. Nothing is lost.')}</List.Item>
      </List>
      <LimitedTextarea
        label={t('Why')}
        description={t('Everybody whose signals wait can read it.')}
        autosize
        minRows={2}
        most={MAX_CHARACTERS.pause}
        value={reason}
        onChange={event => form.write({ reason: event.currentTarget.value })}
        data-autofocus
      />
      <Text size="xs" c="dimmed">
        {t('A batch that is under way is finished first.')}
      </Text>
    </ChangeDialog>
  )
}
