import type { Clock } from '../signals/happened.ts'
import {
  type ActivityQuestion,
  FIELDS,
  type Field,
  type Filter,
  type Metric,
  type Places,
  SAYS_WHAT,
  type SignalPlaces,
} from './activity-question.ts'

/** The ids of a filter by places, as their labels. */
const labelsOf = ({ values }: Filter, { labelOf }: SignalPlaces): readonly string[] =>
  values.map(value => (value === '' ? '' : labelOf(value)))

const condition = ({ field, op }: Filter, index: number, places: Places): string => {
  const column = FIELDS[field]
  const values = `{filter_${index}: Array(String)}`
  const place = places[field]
  if (place !== undefined) return `${op === 'not_in' ? 'NOT ' : ''}hasAny(${place.labels}, ${values})`
  // A source's signals are named by the sender's own word, if it has one, and by the source.
  if (field === 'source' && op !== 'contains') {
    const named = `(${column} IN ${values} OR source_id != '' AND source_id IN ${values})`
    return op === 'in' ? named : `NOT ${named}`
  }
  if (op === 'contains') return `multiSearchAnyCaseInsensitiveUTF8(${column}, ${values})`
  return `${column} ${op === 'in' ? 'IN' : 'NOT IN'} ${values}`
}

/** The filters as conditions of a statement; all of them must hold. Fields come from the allow-list. */
export const filterConditions = (filters: readonly Filter[], places: Places): readonly string[] =>
  filters.map((filter, index) => condition(filter, index, places))

/** What the conditions and the groups name, for the statement to bind. */
export const filterParameters = (
  filters: readonly Filter[],
  places: Places,
): Readonly<Record<string, string | readonly string[]>> => ({
  ...places.claim?.parameters,
  ...places.node?.parameters,
  ...places.actor?.parameters,
  ...Object.fromEntries(
    filters.map((filter, index) => {
      const place = places[filter.field]
      return [`filter_${index}`, place === undefined ? [...filter.values] : labelsOf(filter, place)]
    }),
  ),
})

/** What a row is grouped by, as columns of a statement. What has several places counts for each. */
export const groupColumns = (groupBy: readonly Field[], places: Places): readonly string[] =>
  groupBy.map(field => {
    const place = places[field]
    return `${place === undefined ? FIELDS[field] : `arrayJoin(${place.labels})`} AS by_${field}`
  })

/** The group of a row with these columns: ids for places. */
export const groupOf = (
  row: Readonly<Record<string, string | number | null>>,
  groupBy: readonly Field[],
  places: Places,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    groupBy.map(field => {
      const value = String(row[`by_${field}`])
      return [field, places[field]?.idOf(value) ?? value]
    }),
  )

/** The column of an event that holds its time by a clock. */
export const EVENT_TIME: Readonly<Record<Clock, string>> = { occurred: 'happened_at', received: 'occurred_at' }

/**
 * The condition that an event is of a time, from the bound `from` until before the bound `to`. Nothing happens after
 * its receipt, which the table is in the order of: what was received before cannot be of it.
 */
export const within = (clock: Clock, from: string, to: string): string => {
  const [begin, end] = [`{${from}: DateTime64(3)}`, `{${to}: DateTime64(3)}`]
  const received = `occurred_at >= ${begin}`
  if (clock === 'received') return `${received} AND occurred_at < ${end}`
  return `${received} AND happened_at >= ${begin} AND happened_at < ${end}`
}

/** Which rows an aggregate is over: those that fulfil all of these; every row without any. */
type Conditions = readonly string[]

/** Milliseconds that an event has: how long a step or call took, or from a signal's receipt to the end of a step. */
type Measured = 'duration' | 'elapsed'

/**
 * How figures are computed where rows are events, or rollups of them. Both have `kind`, `channel`, `times` and
 * `work_units`.
 */
interface Measures {
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

/** A signal that came to its end in the pipeline as a row of its own. */
export const BECAME_SIGNAL = `kind = 'signal.step' AND step = 'insert' AND outcome = 'next'`
/** A signal that came to its end in the pipeline, as a row of its own or as a repeat: it has a node then. */
export const ARRIVED = `kind = 'signal.step' AND (outcome = 'skip' OR step = 'insert' AND outcome = 'next')`

/**
 * Which different subjects of events came to an end in the time that is read, whatever else the conditions ask of the
 * event: all events of a signal are of one time.
 */
const distinctSubjects = (ended: string, conditions: Conditions, clock: Clock): string =>
  aggregate('uniqExact', 'subject_id', [
    ...conditions,
    `kind IN ('signal.received', 'signal.step')`,
    `subject_id IN (SELECT subject_id FROM activity WHERE workspace_id = {workspace: UUID} AND ${within(clock, 'begin', 'to')} AND ${ended})`,
  ])

const OF_SIGNALS: readonly Metric[] = ['distinct_signals', 'distinct_signals_and_repeats']

/** What names an event, and not the signal that it is of. */
const OF_EVENT = new Set<Field>([...SAYS_WHAT, 'reason'])

/** Whether signals are counted and nothing else, by what is known of them and not of single events. */
export const countsSignalsAlone = ({
  metrics,
  groupBy,
  filters,
}: Pick<ActivityQuestion, 'metrics' | 'groupBy' | 'filters'>): boolean =>
  metrics.every(metric => OF_SIGNALS.includes(metric)) &&
  ![...groupBy, ...filters.map(({ field }) => field)].some(field => OF_EVENT.has(field))

/**
 * Of what counts signals alone, the events that are read: those that ended them. Events before have less, such as no
 * source and no classification, and a signal would be counted in a group of nothing too.
 */
export const endOfSignals = (
  question: Pick<ActivityQuestion, 'metrics' | 'groupBy' | 'filters'>,
): readonly string[] => {
  if (!countsSignalsAlone(question)) return []
  return [question.metrics.includes('distinct_signals_and_repeats') ? `(${ARRIVED})` : BECAME_SIGNAL]
}

/** Each metric as SQL over the rows that fulfil the conditions. Distinct things are only known of events. */
export const METRICS: Readonly<
  Record<
    Metric,
    (measures: Measures, conditions: Conditions, of: { readonly places: Places; readonly clock: Clock }) => string
  >
> = {
  count: (_, conditions) => times(conditions),
  distinct_signals: (_, conditions, { clock }) => distinctSubjects(BECAME_SIGNAL, conditions, clock),
  distinct_signals_and_repeats: (_, conditions, { clock }) => distinctSubjects(`(${ARRIVED})`, conditions, clock),
  distinct_actors: (_, conditions, { places }) => {
    const actor = places.actor === undefined ? FIELDS.actor : `(${places.actor.labels})[1]`
    return aggregate('uniqExact', actor, [...conditions, `${actor} != ''`])
  },
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
