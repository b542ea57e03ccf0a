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

/** A place filter's values as labels: of ids, or of places whose names contain the values. */
const labelsOf = ({ op, values }: Filter, { labelOf, labelsWith }: SignalPlaces): readonly string[] =>
  op === 'contains' ? values.flatMap(labelsWith) : values.map(value => (value === '' ? '' : labelOf(value)))

const condition = ({ field, op }: Filter, index: number, places: Places): string => {
  const column = FIELDS[field]
  const values = `{filter_${index}: Array(String)}`
  const place = places[field]
  if (place !== undefined) return `${op === 'not_in' ? 'NOT ' : ''}hasAny(${place.labels}, ${values})`
  // A signal's source is the sender's own word, if there is one, and the source's id.
  if (field === 'source' && op !== 'contains') {
    const named = `(${column} IN ${values} OR source_id != '' AND source_id IN ${values})`
    return op === 'in' ? named : `NOT ${named}`
  }
  if (op === 'contains') return `multiSearchAnyCaseInsensitiveUTF8(${column}, ${values})`
  return `${column} ${op === 'in' ? 'IN' : 'NOT IN'} ${values}`
}

/** Filters as conditions of a statement, all of which must hold. Fields come from the allow-list. */
export const filterConditions = (filters: readonly Filter[], places: Places): readonly string[] =>
  filters.map((filter, index) => condition(filter, index, places))

/** Values that the conditions and groups name, for the statement to bind. */
export const filterParameters = (
  filters: readonly Filter[],
  places: Places,
): Readonly<Record<string, string | readonly string[]>> => ({
  ...Object.assign({}, ...Object.values(places).map(({ parameters }) => parameters)),
  ...Object.fromEntries(
    filters.map((filter, index) => {
      const place = places[filter.field]
      return [`filter_${index}`, place === undefined ? [...filter.values] : labelsOf(filter, place)]
    }),
  ),
})

/** Columns of a statement for the fields of `groupBy`. An event with several places counts for each. */
export const groupColumns = (groupBy: readonly Field[], places: Places): readonly string[] =>
  groupBy.map(field => {
    const place = places[field]
    return `${place === undefined ? FIELDS[field] : `arrayJoin(${place.labels})`} AS by_${field}`
  })

/** The group of a row with these columns; places by id. */
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

/** Column of an event's time by a clock. */
export const EVENT_TIME: Readonly<Record<Clock, string>> = { occurred: 'happened_at', received: 'occurred_at' }

/**
 * Condition that an event's time is in [`from`, `to`), both bound. The table is ordered by receipt, and nothing happens
 * after its receipt, so rows that were received before `from` are excluded by the index.
 */
export const within = (clock: Clock, from: string, to: string): string => {
  const [begin, end] = [`{${from}: DateTime64(3)}`, `{${to}: DateTime64(3)}`]
  const received = `occurred_at >= ${begin}`
  if (clock === 'received') return `${received} AND occurred_at < ${end}`
  return `${received} AND happened_at >= ${begin} AND happened_at < ${end}`
}

/** Conditions of an aggregate's rows, all of which must hold; empty for every row. */
type Conditions = readonly string[]

/**
 * Milliseconds of an event: the duration of a step or a call, or the time from a signal's receipt to the end of a step.
 */
type Measured = 'duration' | 'elapsed'

/**
 * Expressions for figures over events, or over their rollups. Both have `kind`, `channel`, `times` and `work_units`.
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

/** Kinds of events that have each time. */
export const MEASURED: Readonly<Record<Measured, string>> = {
  duration: `kind IN ('signal.step', 'tool.call')`,
  elapsed: `kind = 'signal.step'`,
}

/** Quantiles: the event whose rank, from 0, is the level times the number of events, rounded down. */
export const OF_EVENTS: Measures = {
  quantile: (level, of, conditions) => aggregate('quantileExact', `${of}_ms`, [...conditions, MEASURED[of]], level),
}

const HISTOGRAMS: Readonly<Record<Measured, string>> = { duration: 'durations', elapsed: 'elapsed' }

/**
 * The same rank by buckets: at most 1 % off, or a microsecond (schemas/clickhouse/0004_activity_rollups.sql). The
 * buckets are those of Masson, Rim and Lee, "DDSketch" (VLDB 2019), section 2.1. ClickHouse's own quantileDD was three
 * times as far off as it promises.
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

/** Events that a source's endpoint accepted. A code host's signals are left out, because their events are counted. */
const ACCEPTED = `kind IN ('metric.received', 'code_host.event') OR kind = 'signal.received' AND channel != 'code_host'`
const REFUSED = `kind = 'source.refused'`

const times = (conditions: Conditions): string => aggregate('sum', 'times', conditions)

/** The end of a signal in the pipeline as a row of its own. */
export const BECAME_SIGNAL = `kind = 'signal.step' AND step = 'insert' AND outcome = 'next'`
/** The end of a signal in the pipeline as a row of its own or as a repeat. The event has the signal's node. */
export const ARRIVED = `kind = 'signal.step' AND (outcome = 'skip' OR step = 'insert' AND outcome = 'next')`

/**
 * Counts different subjects whose end in the pipeline is in the time that is read. The other conditions may match
 * another event of the subject: all events of a signal have the same time.
 */
const distinctSubjects = (ended: string, conditions: Conditions, clock: Clock): string =>
  aggregate('uniqExact', 'subject_id', [
    ...conditions,
    `kind IN ('signal.received', 'signal.step')`,
    `subject_id IN (SELECT subject_id FROM activity WHERE workspace_id = {workspace: UUID} AND ${within(clock, 'begin', 'to')} AND ${ended})`,
  ])

const OF_SIGNALS: readonly Metric[] = ['distinct_signals', 'distinct_signals_and_repeats']

/** Fields of an event that its signal does not have. */
const OF_EVENT = new Set<Field>([...SAYS_WHAT, 'reason'])

/** True when a question counts signals alone, by fields of signals and not of events. */
export const countsSignalsAlone = ({
  metrics,
  groupBy,
  filters,
}: Pick<ActivityQuestion, 'metrics' | 'groupBy' | 'filters'>): boolean =>
  metrics.every(metric => OF_SIGNALS.includes(metric)) &&
  ![...groupBy, ...filters.map(({ field }) => field)].some(field => OF_EVENT.has(field))

/**
 * For such a question: the condition of the events that ended the signals. Earlier events lack fields, such as the
 * source and the classification, so the signal would also be counted in an empty group.
 */
export const endOfSignals = (
  question: Pick<ActivityQuestion, 'metrics' | 'groupBy' | 'filters'>,
): readonly string[] => {
  if (!countsSignalsAlone(question)) return []
  return [question.metrics.includes('distinct_signals_and_repeats') ? `(${ARRIVED})` : BECAME_SIGNAL]
}

/** SQL of each metric over the rows that fulfil the conditions. Distinct counts need events. */
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
