import type { Log } from '../../infra/log/port.ts'
import { Counter, Gauge, Histogram, type Metrics } from '../../infra/runtime/metrics.ts'
import type { WatchedGroup } from './health.ts'
import type { Observer } from './step.ts'

const STEP_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const RECORD_SECONDS = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30]
const AGE_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600]
const BATCH_RECORDS = [1, 2, 5, 10, 25, 50, 100, 200, 500, 1000, 2000]

/**
 * Prometheus metrics of the runtime, as an observer. Notes go to `note`. `docs/reference/metrics.md` describes each
 * metric.
 */
export const createObserver = ({ registry }: Metrics, note: Observer['note']): Observer => {
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] })
  const histogram = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    buckets: readonly number[],
  ) => new Histogram({ name, help, labelNames, buckets: [...buckets], registers: [registry] })

  const ofStep = ['step', 'lane'] as const
  const durations = histogram('assay_step_duration_seconds', 'How long a step took for a batch', ofStep, STEP_SECONDS)
  const shares = histogram(
    'assay_step_record_seconds',
    'A record’s share of the time that a step took for its batch',
    ofStep,
    RECORD_SECONDS,
  )
  const ages = histogram(
    'assay_signal_age_seconds',
    'Time from a signal’s receipt to the end of a step',
    ofStep,
    AGE_SECONDS,
  )
  const outcomes = counter('assay_step_outcomes_total', 'What steps said about signals', [...ofStep, 'outcome'])
  const retries = counter('assay_retries_total', 'Signals sent to a delay queue, by the step that failed', ofStep)
  const deadLetters = counter('assay_dead_letters_total', 'Signals that died, by step and whose fault it was', [
    ...ofStep,
    'fault',
  ])
  const batches = histogram('assay_batch_records', 'Records of a batch', ['group'], BATCH_RECORDS)
  const pauses = counter('assay_group_pauses_total', 'Pauses because a dependency was away', ['group'])
  const paused = counter('assay_group_paused_seconds_total', 'How long those pauses were', ['group'])
  return {
    stepRan: (step, lane, milliseconds, records) => {
      durations.observe({ step, lane }, milliseconds / 1000)
      const share = shares.labels({ step, lane })
      for (let record = 0; record < records; record += 1) share.observe(milliseconds / 1000 / records)
    },
    outcome: (step, lane, outcome, ageMs) => {
      outcomes.inc({ step, lane, outcome })
      ages.observe({ step, lane }, ageMs / 1000)
    },
    retry: (step, lane) => retries.inc({ step, lane }),
    deadLetter: (step, lane, fault) => deadLetters.inc({ step, lane, fault }),
    batch: (group, records) => batches.observe({ group }, records),
    pause: (group, milliseconds) => {
      pauses.inc({ group })
      paused.inc({ group }, milliseconds / 1000)
    },
    note,
  }
}

/**
 * Measures, at each scrape, the lag of each group, the age of its oldest waiting record, and whether it waits for a
 * dependency.
 */
export const measureGroups = (
  { registry }: Metrics,
  log: Pick<Log, 'lag'>,
  groups: readonly WatchedGroup[],
  now: () => number,
): void => {
  const labelNames = ['group', 'topic', 'partition'] as const
  const age = new Gauge({
    name: 'assay_consumer_oldest_age_seconds',
    help: 'How long the oldest record that is not committed has been in the log',
    labelNames,
    registers: [registry],
  })
  new Gauge({
    name: 'assay_consumer_lag_records',
    help: 'Records that a consumer group has not committed',
    labelNames,
    registers: [registry],
    async collect() {
      const positions = await Promise.all(groups.map(({ group }) => log.lag(group).catch(() => [])))
      for (const place of positions.flat()) {
        const { group, topic, partition, committed, highWatermark, oldestUncommittedAt } = place
        const labels = { group, topic, partition: String(partition) }
        this.set(labels, highWatermark - committed)
        age.set(labels, oldestUncommittedAt === null ? 0 : (now() - oldestUncommittedAt) / 1000)
      }
    },
  })
  new Gauge({
    name: 'assay_group_waiting',
    help: 'Whether a group stands still until a dependency is back: 1, else 0',
    labelNames: ['group'],
    registers: [registry],
    collect() {
      for (const { group, breaker } of groups) this.set({ group }, breaker.open() === null ? 0 : 1)
    },
  })
}
