import { Anchor, Button, Table, Text } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useChange } from '../../../api/hooks.ts'
import { duration } from '../../../parts/duration.ts'
import { When } from '../../../parts/when.tsx'
import { notifyDone, notifyFailed } from '../../../shell/notify.tsx'
import { type Lane, laneOf, rate, stateOf, type WatchedStep } from './lane.ts'
import { StateDot } from './state-dot.tsx'
import classes from './step-table.module.css'

interface Props {
  readonly of: WatchedStep
  /** The first step of its segment. */
  readonly head: WatchedStep
  readonly isHead: boolean
  readonly lane: Lane
  readonly letters: number
  readonly mayPause: boolean
  readonly onPause: () => void
}

const NONE = <span className={classes.none}>–</span>
const time = (milliseconds: number | null) => (milliseconds === null ? NONE : duration(milliseconds))
const some = (count: number) => (count === 0 ? NONE : count.toLocaleString('en'))

export const StepRow = ({ of: step, head, isHead, lane, letters, mayPause, onPause }: Props) => {
  const figures = laneOf(step, lane)
  const { waiting } = figures
  const reason = isHead ? (waiting?.reason ?? '') : ''
  return (
    <>
      <Table.Tr>
        <Table.Td fw={550}>{step.step}</Table.Td>
        <Table.Td>
          <StateDot state={stateOf(step, figures, laneOf(head, lane))} />
        </Table.Td>
        <Table.Td ta="right">{figures.per_second === 0 ? NONE : rate(figures.per_second)}</Table.Td>
        <Table.Td ta="right">{time(figures.p50_ms)}</Table.Td>
        <Table.Td ta="right">{time(figures.p95_ms)}</Table.Td>
        <Table.Td ta="right">{time(figures.p95_since_receipt_ms)}</Table.Td>
        <Table.Td ta="right">{waiting === null ? '' : some(waiting.lag)}</Table.Td>
        <Table.Td ta="right">
          {waiting?.oldest_at == null ? '' : duration(Date.now() - Date.parse(waiting.oldest_at))}
        </Table.Td>
        <Table.Td ta="right">{some(figures.retried)}</Table.Td>
        <Table.Td ta="right">{some(figures.died)}</Table.Td>
        <Table.Td ta="right">
          {letters === 0 ? (
            NONE
          ) : (
            <Anchor component={Link} size="sm" to={`/app/pipeline/dead-letters?step=${step.step}`}>
              {letters.toLocaleString('en')}
            </Anchor>
          )}
        </Table.Td>
        {mayPause && (
          <Table.Td ta="right">
            {step.pause === null ? <Pause step={step.step} onPause={onPause} /> : <Resume step={step.step} />}
          </Table.Td>
        )}
      </Table.Tr>
      {step.pause !== null && (
        <ReasonRow>
          Paused <When at={step.pause.paused_at} />
          {step.pause.paused_by !== null && (
            <>
              {' '}
              by <bdi>{step.pause.paused_by}</bdi>
            </>
          )}
          : <bdi>{step.pause.reason}</bdi>
        </ReasonRow>
      )}
      {reason !== '' && <ReasonRow>Waits: {reason}</ReasonRow>}
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
    aria-label={`Pause ${step}`}
  >
    Pause
  </Button>
)

const Resume = ({ step }: { readonly step: WatchedStep['step'] }) => {
  const resuming = useChange('resume_step', {
    invalidates: ['watch_pipeline'],
    onSuccess: () => notifyDone(`${step} goes on within seconds.`),
  })
  return (
    <Button
      size="compact-xs"
      variant="light"
      leftSection={<IconPlayerPlay size={12} aria-hidden />}
      loading={resuming.isPending}
      onClick={() => resuming.mutate({ step }, { onError: notifyFailed })}
      aria-label={`Resume ${step}`}
    >
      Resume
    </Button>
  )
}
