import { Anchor, Button, Group, Table, Text } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type Output, useChange } from '../../../api/operations.ts'
import { counted, fromService, language, t, word } from '../../../language/messages.ts'
import { rich } from '../../../language/rich.ts'
import { duration } from '../../../parts/formats.ts'
import { When } from '../../../parts/inline.tsx'
import { QuietHead, ScrollingTable } from '../../../parts/lists.tsx'
import { notifyDone, notifyFailed } from '../../../shell/notify.tsx'
import tables from '../tables.module.css'
import {
  type Lane,
  laneOf,
  rate,
  type StepName,
  type StepState,
  segmentsOf,
  stateOf,
  type Watched,
  type WatchedStep,
} from './lane.ts'
import classes from './step-table.module.css'

interface Props {
  readonly of: Watched
  readonly lane: Lane
  /** This workspace’s dead letters, by step. */
  readonly groups: Output<'inspect_pipeline'>['groups']
  readonly onPause: (step: StepName) => void
}

/**
 * All steps in one lane. Steps of one segment stand together: they hand over in memory, and what comes waits at
 * the first.
 */
export const StepTable = ({ of: { steps, can_pause }, lane, groups, onPause }: Props) => (
  <ScrollingTable minWidth={860} label={t('Steps, scrolling')}>
    <Table aria-label={t('Steps')} className={`${tables.quiet} ${classes.steps}`} withRowBorders={false}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Step')}</Table.Th>
          <Table.Th>{t('State')}</Table.Th>
          <Table.Th ta="end">{t('Rate')}</Table.Th>
          <Table.Th ta="end">p50</Table.Th>
          <Table.Th ta="end">p95</Table.Th>
          <Table.Th ta="end">{t('Since received, p95')}</Table.Th>
          <Table.Th ta="end">{t('Waiting')}</Table.Th>
          <Table.Th ta="end">{t('Oldest')}</Table.Th>
          <Table.Th ta="end">{t('Retries')}</Table.Th>
          <Table.Th ta="end">{t('Dead-lettered')}</Table.Th>
          <Table.Th ta="end">{t('Dead letters')}</Table.Th>
          {can_pause && <QuietHead label={t('Pause or resume')} />}
        </Table.Tr>
      </Table.Thead>
      {segmentsOf(steps).map(segment => (
        <Table.Tbody key={segment[0]?.step} className={classes.segment ?? ''}>
          {segment.map((step, place) => (
            <StepRow
              key={step.step}
              of={step}
              head={segment[0] ?? step}
              isHead={place === 0}
              lane={lane}
              deadLetters={groups
                .filter(group => group.step === step.step)
                .reduce((sum, group) => sum + group.dead_letters, 0)}
              mayPause={can_pause}
              onPause={() => onPause(step.step)}
            />
          ))}
        </Table.Tbody>
      ))}
    </Table>
  </ScrollingTable>
)

interface StepRowProps {
  readonly of: WatchedStep
  /** The first step of its segment. */
  readonly head: WatchedStep
  readonly isHead: boolean
  readonly lane: Lane
  readonly deadLetters: number
  readonly mayPause: boolean
  readonly onPause: () => void
}

const NONE = <span className={classes.none}>–</span>
const time = (milliseconds: number | null) => (milliseconds === null ? NONE : duration(milliseconds))
const some = (count: number) => (count === 0 ? NONE : count.toLocaleString(language))

const StepRow = ({ of: step, head, isHead, lane, deadLetters, mayPause, onPause }: StepRowProps) => {
  const figures = laneOf(step, lane)
  const { waiting } = figures
  const reason = isHead ? (waiting?.reason ?? '') : ''
  return (
    <>
      <Table.Tr>
        <Table.Td fw={550}>{word(step.step)}</Table.Td>
        <Table.Td>
          <StateDot state={stateOf(step, figures, laneOf(head, lane))} />
        </Table.Td>
        <Table.Td ta="end">{figures.per_second === 0 ? NONE : rate(figures.per_second)}</Table.Td>
        <Table.Td ta="end">{time(figures.p50_ms)}</Table.Td>
        <Table.Td ta="end">{time(figures.p95_ms)}</Table.Td>
        <Table.Td ta="end">{time(figures.p95_since_receipt_ms)}</Table.Td>
        <Table.Td ta="end">{waiting === null ? '' : some(waiting.lag)}</Table.Td>
        <Table.Td ta="end">
          {waiting?.oldest_at == null ? '' : duration(Date.now() - Date.parse(waiting.oldest_at))}
        </Table.Td>
        <Table.Td ta="end">{some(figures.retried)}</Table.Td>
        <Table.Td ta="end">{some(figures.dead_lettered)}</Table.Td>
        <Table.Td ta="end">
          {deadLetters === 0 ? (
            NONE
          ) : (
            <Anchor
              component={Link}
              size="sm"
              to={`/app/pipeline/dead-letters?step=${step.step}`}
              aria-label={`${counted(deadLetters, 'dead letter')}: ${word(step.step)}`}
            >
              {deadLetters.toLocaleString(language)}
            </Anchor>
          )}
        </Table.Td>
        {mayPause && (
          <Table.Td ta="end">
            {step.pause === null ? <Pause step={step.step} onPause={onPause} /> : <Resume step={step.step} />}
          </Table.Td>
        )}
      </Table.Tr>
      {step.pause !== null && (
        <ReasonRow>
          {rich('Paused {when}{more}: {reason}', {
            when: <When at={step.pause.paused_at} />,
            more: step.pause.paused_by !== null && (
              <> {rich('by {paused_by}', { paused_by: <bdi>{step.pause.paused_by}</bdi> })}</>
            ),
            reason: <bdi>{step.pause.reason}</bdi>,
          })}
        </ReasonRow>
      )}
      {reason !== '' && <ReasonRow>{t('Waits: {reason}', { reason: fromService(reason) })}</ReasonRow>}
    </>
  )
}

const ReasonRow = ({ children }: { readonly children: ReactNode }) => (
  <Table.Tr>
    <Table.Td />
    <Table.Td colSpan={11} className={classes.reason ?? ''}>
      <Text size="xs" c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </Table.Td>
  </Table.Tr>
)

const Pause = ({ step, onPause }: { readonly step: string; readonly onPause: () => void }) => (
  <Button
    size="compact-xs"
    variant="subtle"
    color="gray"
    c="dimmed"
    fw={400}
    leftSection={<IconPlayerPause size={12} aria-hidden />}
    onClick={onPause}
    aria-label={t('Pause {step}', { step: word(step) })}
  >
    {t('Pause')}
  </Button>
)

const Resume = ({ step }: { readonly step: WatchedStep['step'] }) => {
  const resuming = useChange('resume_step', {
    invalidates: ['watch_pipeline'],
    onSuccess: () => notifyDone(t('{step} goes on within seconds.', { step: word(step) })),
  })
  return (
    <Button
      size="compact-xs"
      variant="light"
      leftSection={<IconPlayerPlay size={12} aria-hidden />}
      loading={resuming.isPending}
      onClick={() => resuming.mutate({ step }, { onError: notifyFailed })}
      aria-label={t('Resume {step}', { step: word(step) })}
    >
      {t('Resume')}
    </Button>
  )
}

interface StateDotProps {
  readonly state: StepState
}

/** A state as a coloured dot and its word. */
export const StateDot = ({ state }: StateDotProps) => (
  <Group gap={6} wrap="nowrap">
    <span className={classes.dot} data-state={state} aria-hidden />
    <Text size="sm" component="span" c={state === 'idle' ? 'dimmed' : 'inherit'}>
      {word(state)}
    </Text>
  </Group>
)
