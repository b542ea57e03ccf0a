import type { Metric } from './activity-vocabulary.ts'

/** Which rows an aggregate is over: those that fulfil all of these; every row without any. */
type Conditions = readonly string[]

/** Milliseconds that an event has: how long a step or call took, or from a signal's receipt to the end of a step. */
type Measured = 'duration' | 'elapsed'

/**
 * How figures are computed where rows are events, or rollups of them. Both have `kind`, `channel`, `times` and
 * `work_units`.
 */
export interface Measures {
  readonly quantile: (level: number, of: Measured, conditions: Conditions) => string
}

const aggregate = (name: string, of: string, conditions: Conditions, level?: number): string => {
  const parameter = level === undefined ? '' : `(${level})`
  return conditions.length === 0
    ? `${name}${parameter}(${of})`
    : `${name}If${parameter}(${of}, ${conditions.map(condition => `(${condition})`).join(' AND ')})`
}

/** Events of other kinds take no time of their own. */
export const MEASURED: Readonly<Record<Measured, string>> = {
  duration: `kind IN ('signal.step', 'tool.call')`,
  elapsed: `kind = 'signal.step'`,
}

/** The event whose rank, from 0, is the level times their number, rounded down. */
export const OF_EVENTS: Measures = {
  quantile: (level, of, conditions) => aggregate('quantileExact', `${of}_ms`, [...conditions, MEASURED[of]], level),
}

const HISTOGRAMS: Readonly<Record<Measured, string>> = { duration: 'durations', elapsed: 'elapsed' }

/**
 * The event of the same rank, as its bucket has it: at most 1 % off, or a microsecond
 * (schemas/clickhouse/0004_activity_rollups.sql). These are the buckets of Masson, Rim and Lee, "DDSketch" (VLDB 2019),
 * section 2.1; ClickHouse's own quantileDD was three times as far off as it promises.
 */
export const OF_ROLLUPS: Measures = {
  quantile: (level, of, conditions) => {
    const histogram = aggregate('sumMap', HISTOGRAMS[of], conditions)
    const counts = `mapValues(${histogram})`
    const rank = `floor(${level} * arraySum(${counts}))`
    const bucket = `mapKeys(${histogram})[arrayFirstIndex(reached -> reached > ${rank}, arrayCumSum(${counts}))]`
    const value = `if(${bucket} = -32768, 0, 1.01 * pow(101 / 99, ${bucket}))`
    return `if(arraySum(${counts}) = 0, NULL, ${value})`
  },
}

/**
 * What a source's endpoint accepted. A code host's signals are not counted beside the events that they were made of.
 */
const ACCEPTED = `kind IN ('metric.received', 'code_host.event') OR kind = 'signal.received' AND channel != 'code_host'`
const REFUSED = `kind = 'source.refused'`

const times = (conditions: Conditions): string => aggregate('sum', 'times', conditions)

/** Each metric as SQL over the rows that fulfil the conditions. Distinct things are only known of events. */
export const METRICS: Readonly<Record<Metric, (measures: Measures, conditions: Conditions) => string>> = {
  count: (_, conditions) => times(conditions),
  distinct_signals: (_, conditions) =>
    aggregate('uniqExact', 'subject_id', [
      ...conditions,
      `kind IN ('signal.received', 'signal.step', 'signal.dead_letter')`,
    ]),
  distinct_actors: (_, conditions) => aggregate('uniqExact', 'actor', [...conditions, `actor != ''`]),
  p50_duration_ms: ({ quantile }, conditions) => quantile(0.5, 'duration', conditions),
  p95_duration_ms: ({ quantile }, conditions) => quantile(0.95, 'duration', conditions),
  p50_elapsed_ms: ({ quantile }, conditions) => quantile(0.5, 'elapsed', conditions),
  p95_elapsed_ms: ({ quantile }, conditions) => quantile(0.95, 'elapsed', conditions),
  work_units: (_, conditions) => aggregate('sum', 'work_units', conditions),
  acceptance_rate: (_, conditions) => {
    const accepted = times([...conditions, ACCEPTED])
    return `${accepted} / nullIf(${accepted} + ${times([...conditions, REFUSED])}, 0)`
  },
}
