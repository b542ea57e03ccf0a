import { Group, Text, VisuallyHidden } from '@mantine/core'
import { Fragment } from 'react'
import { fromService, plural, t, word } from '../language/messages.ts'
import { rich } from '../language/rich.ts'
import { duration } from './formats.ts'
import { When } from './inline.tsx'
import { ScrollingTable } from './lists.tsx'
import { Quote } from './quote.tsx'
import classes from './signal-timeline.module.css'
import { type Attempt, OUTCOMES, type TimelineStep, type Trace, timelineOf } from './signal-timeline-rows.ts'

interface Props {
  /** Answer of `trace_signal`. */
  readonly of: Trace
}

/** A signal's steps: each attempt with its outcome, its share of the time, and the version that worked. */
export const SignalTimeline = ({ of: trace }: Props) => (
  <>
    <Group gap="md" mb="sm">
      {trace.receipt !== null && (
        <Text size="sm" c="dimmed">
          {rich('Received {when} by {channel}', {
            when: <When at={trace.receipt.received_at} />,
            channel: word(trace.receipt.channel),
          })}
        </Text>
      )}
      {trace.total_ms !== null && (
        <Text size="sm" c="dimmed">
          {t('{total_ms} from when it was received to its last step', { total_ms: duration(trace.total_ms) })}
        </Text>
      )}
      {trace.retries > 0 && (
        <Text size="sm" c="dimmed">
          {plural(trace.retries, 'tried again once', 'tried again {number} times')}
        </Text>
      )}
      {trace.replays > 0 && (
        <Text size="sm" c="dimmed">
          {plural(trace.replays, 'replayed once', 'replayed {number} times')}
        </Text>
      )}
    </Group>
    <ScrollingTable minWidth={680} label={t('Steps of the signal, scrolling')}>
      <table className={classes.way} aria-label={t('Steps of the signal')}>
        <thead>
          <tr>
            <th>{t('Step')}</th>
            <th>{t('Outcome')}</th>
            <th>
              <VisuallyHidden>{t('Timeline')}</VisuallyHidden>
            </th>
            <th data-number>{t('Duration')}</th>
            <th data-number>{t('Since received')}</th>
            <th data-number>{t('Attempt')}</th>
            <th>{t('Version')}</th>
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
        <td>{word(step)}</td>
        <td colSpan={6}>{t('not run')}</td>
      </tr>
    )
  }
  return attempts.map((attempt, place) => (
    <Fragment key={`${attempt.replay} ${attempt.attempt} ${attempt.outcome} ${attempt.elapsed_ms}`}>
      <AttemptRow of={attempt} step={place === 0 ? word(step) : ''} />
      {attempt.reason !== '' && (
        <tr data-again>
          <td />
          <td colSpan={6} className={classes.missed}>
            <Quote text={fromService(attempt.reason)} most={240} />
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
      <td data-number>
        {replay === 0 ? attempt.attempt : t('{attempt} of replay {replay}', { attempt: attempt.attempt, replay })}
      </td>
      <td>
        <Text size="xs" c="dimmed" component="bdi" style={{ overflowWrap: 'anywhere' }}>
          {version}
        </Text>
      </td>
    </tr>
  )
}
