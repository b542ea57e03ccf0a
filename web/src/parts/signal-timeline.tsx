import { Group, Text } from '@mantine/core'
import { Fragment } from 'react'
import { duration } from './duration.ts'
import { Quote } from './quote.tsx'
import { ScrollingTable } from './scrolling-table.tsx'
import classes from './signal-timeline.module.css'
import { type Attempt, OUTCOMES, type TimelineStep, type Trace, timelineOf } from './signal-timeline-rows.ts'
import { When } from './when.tsx'

interface Props {
  /** What `trace_signal` answers. */
  readonly of: Trace
}

/** One signal’s way through all nine steps: each attempt with its outcome, how long it took against the whole way, and what worked on it. */
export const SignalTimeline = ({ of: trace }: Props) => (
  <>
    <Group gap="md" mb="sm">
      {trace.receipt !== null && (
        <Text size="sm" c="dimmed">
          Received <When at={trace.receipt.received_at} /> by {trace.receipt.channel}
        </Text>
      )}
      {trace.total_ms !== null && (
        <Text size="sm" c="dimmed">
          {duration(trace.total_ms)} from receipt to its last step
        </Text>
      )}
      {trace.retries > 0 && (
        <Text size="sm" c="dimmed">
          {trace.retries === 1 ? 'tried again once' : `tried again ${trace.retries} times`}
        </Text>
      )}
      {trace.replays > 0 && (
        <Text size="sm" c="dimmed">
          {trace.replays === 1 ? 'replayed once' : `replayed ${trace.replays} times`}
        </Text>
      )}
    </Group>
    <ScrollingTable minWidth={680} label="Steps of the signal, scrolling">
      <table className={classes.way} aria-label="Steps of the signal">
        <thead>
          <tr>
            <th>Step</th>
            <th>Outcome</th>
            <th aria-label="Timeline" />
            <th data-number>Duration</th>
            <th data-number>Since receipt</th>
            <th data-number>Attempt</th>
            <th>Version</th>
          </tr>
        </thead>
        <tbody>
          {timelineOf(trace).map(step => (
            <StepRows key={step.step} of={step} />
          ))}
        </tbody>
      </table>
    </ScrollingTable>
  </>
)

const StepRows = ({ of: { step, attempts } }: { readonly of: TimelineStep }) => {
  if (attempts.length === 0) {
    return (
      <tr className={classes.missed}>
        <td>{step}</td>
        <td colSpan={6}>not run</td>
      </tr>
    )
  }
  return attempts.map((attempt, place) => (
    <Fragment key={`${attempt.replay} ${attempt.attempt} ${attempt.outcome} ${attempt.elapsed_ms}`}>
      <AttemptRow of={attempt} step={place === 0 ? step : ''} />
      {attempt.reason !== '' && (
        <tr data-again>
          <td />
          <td colSpan={6} className={classes.missed}>
            <Quote text={attempt.reason} most={240} />
          </td>
        </tr>
      )}
    </Fragment>
  ))
}

const COLOURS: Readonly<Record<string, string>> = { dead: 'red', dead_letter: 'red' }

const AttemptRow = ({ of: attempt, step }: { readonly of: Attempt; readonly step: string }) => {
  const { outcome, begins, takes, duration_ms, elapsed_ms, replay, version } = attempt
  return (
    <tr data-again={step === '' ? true : undefined}>
      <td>{step}</td>
      <td>
        <Text size="sm" component="span" c={COLOURS[outcome] === undefined ? 'inherit' : 'var(--mantine-color-error)'}>
          {OUTCOMES[outcome] ?? outcome}
        </Text>
      </td>
      <td>
        <div className={classes.track} aria-hidden>
          <div
            className={classes.bar}
            data-outcome={outcome}
            style={{ left: `${begins * 100}%`, width: `${takes * 100}%` }}
          />
        </div>
      </td>
      <td data-number>{duration(duration_ms)}</td>
      <td data-number>{duration(elapsed_ms)}</td>
      <td data-number>{replay === 0 ? attempt.attempt : `${attempt.attempt} of replay ${replay}`}</td>
      <td>
        <Text size="xs" c="dimmed" component="bdi" style={{ overflowWrap: 'anywhere' }}>
          {version}
        </Text>
      </td>
    </tr>
  )
}
