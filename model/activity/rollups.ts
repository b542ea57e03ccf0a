import { type ActivityQuestion, startOf } from './activity-question.ts'
import type { Field, Metric } from './activity-vocabulary.ts'
import { offsetsAreWhole } from './zones.ts'

const HOUR_MS = 3_600_000

export const ROLLUPS = {
  hour: { table: 'activity_by_hour', moved: 'activity_moved_by_hour', unitMs: HOUR_MS },
  day: { table: 'activity_by_day', moved: 'activity_moved_by_day', unitMs: 24 * HOUR_MS },
} as const
export type Rollup = keyof typeof ROLLUPS

/** The fields that the rollups keep apart. */
const FIELDS_KEPT: ReadonlySet<Field> = new Set<Field>([
  'kind',
  'step',
  'outcome',
  'channel',
  'classification',
  'tool',
  'mode',
])
/** Which ids are distinct cannot be summed up. */
const METRICS_LOST: ReadonlySet<Metric> = new Set<Metric>(['distinct_signals', 'distinct_actors'])
/** Below this many units, the events at the ends of the time are as many as those that a rollup saves. */
const LEAST_UNITS = 8

/** Whether the periods asked for consist of whole units: those of the zone's clocks, and those that are compared. */
const periodsAreWhole = (question: ActivityQuestion, unitMs: number): boolean => {
  const { granularity, timeZone, before, to } = question
  if (granularity === null) return true
  if (granularity === 'minute' || (granularity === 'hour' && unitMs > HOUR_MS)) return false
  if (before?.shift.unit === 'milliseconds' && before.shift.by % unitMs !== 0) return false
  return offsetsAreWhole(timeZone, startOf(question).getTime(), to.getTime(), unitMs)
}

/** The coarsest rollup from which the question can be answered as from the events; null when it takes the events. */
export const chooseRollup = (question: ActivityQuestion): Rollup | null => {
  const { metrics, groupBy, filters, from, to } = question
  const fields = [...groupBy, ...filters.map(filter => filter.field)]
  if (metrics.some(metric => METRICS_LOST.has(metric)) || fields.some(field => !FIELDS_KEPT.has(field))) return null
  const fits = (rollup: Rollup) =>
    to.getTime() - from.getTime() >= LEAST_UNITS * ROLLUPS[rollup].unitMs &&
    periodsAreWhole(question, ROLLUPS[rollup].unitMs)
  return (['day', 'hour'] as const).find(fits) ?? null
}
