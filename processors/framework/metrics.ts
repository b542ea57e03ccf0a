import type { Log } from '../../infra/log/port.ts'
import { Counter, Gauge, Histogram, type Metrics } from '../../infra/runtime/metrics.ts'
import type { Observer } from './observer.ts'

const DURATION_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const BATCH_RECORDS = [1, 2, 5, 10, 25, 50, 100, 200, 500, 1000, 2000]

/** The runtime's Prometheus metrics, as an observer; its notes go to `note`. */
export const createObserver = ({ registry }: Metrics, note: Observer['note']): Observer => {
  const registers = [registry]
  const durations = new Histogram({
    name: 'assay_step_duration_seconds',
    help: 'How long a step took for a batch',
    labelNames: ['step'],
    buckets: DURATION_SECONDS,
    registers,
  })
  const outcomes = new Counter({
    name: 'assay_step_outcomes_total',
    help: 'What steps said about signals',
    labelNames: ['step', 'outcome'],
    registers,
  })
  const retries = new Counter({
    name: 'assay_retries_total',
    help: 'Signals sent to a delay queue, by the step that failed',
    labelNames: ['step'],
    registers,
  })
  const deadLetters = new Counter({
    name: 'assay_dead_letters_total',
    help: 'Signals that died, by the step and whose fault it was',
    labelNames: ['step', 'fault'],
    registers,
  })
  const batches = new Histogram({
    name: 'assay_batch_records',
    help: 'Records of a batch',
    labelNames: ['group'],
    buckets: BATCH_RECORDS,
    registers,
  })
  return {
    stepRan: (step, milliseconds) => durations.observe({ step }, milliseconds / 1000),
    outcome: (step, outcome) => outcomes.inc({ step, outcome }),
    retry: step => retries.inc({ step }),
    deadLetter: (step, fault) => deadLetters.inc({ step, fault }),
    batch: (group, records) => batches.observe({ group }, records),
    note,
  }
}

/** Lag and the age of the oldest waiting record of each group, read from the log whenever the metrics are. */
export const measureLag = ({ registry }: Metrics, log: Log, groups: readonly string[], now: () => number): void => {
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
      const places = await Promise.all(groups.map(group => log.lag(group).catch(() => [])))
      for (const place of places.flat()) {
        const { group, topic, partition, committed, highWatermark, oldestUncommittedAt } = place
        const labels = { group, topic, partition: String(partition) }
        this.set(labels, highWatermark - committed)
        age.set(labels, oldestUncommittedAt === null ? 0 : (now() - oldestUncommittedAt) / 1000)
      }
    },
  })
}
