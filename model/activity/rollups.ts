import { HOUR_MS } from '../../schemas/domain/durations.ts'
import { EVENT_TIME, MEASURED, within } from './activity-clauses.ts'
import { type ActivityQuestion, type Field, type Metric, offsetsAreWhole, startOf } from './activity-question.ts'
import type { ActivityPart } from './activity-rows.ts'

const ROLLUPS = {
  hour: { table: 'activity_by_hour', moved: 'activity_moved_by_hour', unitMs: HOUR_MS },
  day: { table: 'activity_by_day', moved: 'activity_moved_by_day', unitMs: 24 * HOUR_MS },
} as const
export type Rollup = keyof typeof ROLLUPS

/** Fields of the rollups. */
const FIELDS_KEPT: ReadonlySet<Field> = new Set<Field>([
  'kind',
  'step',
  'outcome',
  'channel',
  'classification',
  'tool',
  'mode',
])
/** Metrics over distinct ids, which rollups cannot sum up. */
const METRICS_LOST: ReadonlySet<Metric> = new Set<Metric>([
  'distinct_signals',
  'distinct_signals_and_repeats',
  'distinct_actors',
])
/** Below this many units a rollup saves no more events than the ends of the time need. */
const LEAST_UNITS = 8

/** True when the question's periods, and those of the comparison, consist of whole units. */
const periodsAreWhole = (question: ActivityQuestion, unitMs: number): boolean => {
  const { granularity, timeZone, before, to } = question
  if (granularity === null) return true
  if (granularity === 'minute' || (granularity === 'hour' && unitMs > HOUR_MS)) return false
  if (before?.shift.unit === 'milliseconds' && before.shift.by % unitMs !== 0) return false
  return offsetsAreWhole(timeZone, startOf(question).getTime(), to.getTime(), unitMs)
}

/** The coarsest rollup that answers the question as exactly as the events; null when only events do. */
export const chooseRollup = (question: ActivityQuestion): Rollup | null => {
  const { metrics, groupBy, filters, places, from, to } = question
  const fields = [...groupBy, ...filters.map(filter => filter.field)]
  if (metrics.some(metric => METRICS_LOST.has(metric))) return null
  if (fields.some(field => !FIELDS_KEPT.has(field) || places[field] !== undefined)) return null
  const fits = (rollup: Rollup) =>
    to.getTime() - from.getTime() >= LEAST_UNITS * ROLLUPS[rollup].unitMs &&
    periodsAreWhole(question, ROLLUPS[rollup].unitMs)
  return (['day', 'hour'] as const).find(fits) ?? null
}

/** Whole units inside of each period, as bound times. */
const wholeUnits = (question: ActivityQuestion, unitMs: number): Readonly<Record<string, Date>> => {
  const up = (at: Date) => new Date(Math.ceil(at.getTime() / unitMs) * unitMs)
  const down = (at: Date) => new Date(Math.floor(at.getTime() / unitMs) * unitMs)
  const { from, to, before } = question
  return {
    complete_from: up(from),
    complete_to: down(to),
    ...(before === null ? {} : { complete_previous_from: up(before.from), complete_previous_to: down(from) }),
  }
}

const SINCE = '(SELECT max(since) FROM activity_rollups_complete)'

const bucketOf = (milliseconds: string): string =>
  `if(${milliseconds} < 0.001, -32768, toInt16(floor(log(least(${milliseconds}, 1e12)) / log(101 / 99))))`

const histogram = (of: keyof typeof MEASURED, signed: string): string =>
  `sumMapIf(map(${bucketOf(`${of}_ms`)}, ${signed}(1)), ${MEASURED[of]})`

/** Fields that the figures read beside those that they are grouped by. */
const fieldsOf = ({ groupBy, metrics }: ActivityQuestion): readonly Field[] => [
  ...new Set<Field>([...groupBy, ...(metrics.includes('acceptance_rate') ? (['kind', 'channel'] as const) : [])]),
]

/** Ranges of a time column in the whole units of the question's periods. */
const wholeRanges = (time: string, isCompared: boolean): readonly string[] => [
  `${time} >= {complete_from: DateTime64(3)} AND ${time} < {complete_to: DateTime64(3)}`,
  ...(isCompared
    ? [`${time} >= {complete_previous_from: DateTime64(3)} AND ${time} < {complete_previous_to: DateTime64(3)}`]
    : []),
]

/** The rest of the question's periods, as ranges: ClickHouse would read the whole table for a negated condition. */
const restRanges = (time: string, isCompared: boolean): readonly string[] => [
  `${time} >= {complete_to: DateTime64(3)}`,
  ...(isCompared
    ? [
        `${time} < {complete_previous_from: DateTime64(3)}`,
        `${time} >= {complete_previous_to: DateTime64(3)} AND ${time} < {complete_from: DateTime64(3)}`,
      ]
    : [`${time} < {complete_from: DateTime64(3)}`]),
]

const anyOf = (ranges: readonly string[]): string => ranges.map(range => `(${range})`).join(' OR ')

const FIGURES = ['times', 'work_units', 'durations', 'elapsed'] as const

/** Figures that can be subtracted. */
const SIGNED = FIGURES.map(figure =>
  figure === 'times' || figure === 'work_units'
    ? `toInt64(${figure}) AS ${figure}`
    : `CAST(${figure}, 'Map(Int16, Int64)') AS ${figure}`,
)

/**
 * Rows of a rollup for the whole units of the question's time, and rollup rows made from events for the ends and for
 * the time before the rollups. Columns: `at`, `is_before`, fields and figures. By the clock `occurred`, events that
 * were received at another time are subtracted there and added at their own time. `where` are the question's filters.
 */
export const rollupParts = (
  question: ActivityQuestion,
  rollup: Rollup,
  where: readonly string[],
): { readonly parts: readonly ActivityPart[]; readonly parameters: Readonly<Record<string, Date>> } => {
  const { table, moved, unitMs } = ROLLUPS[rollup]
  const fields = fieldsOf(question)
  const isCompared = question.before !== null
  const figures = question.clock === 'occurred' ? SIGNED : FIGURES
  const rolled = (name: ActivityPart['table'], conditions: readonly string[]): ActivityPart => ({
    table: name,
    select: ['at', 'at < {from: DateTime64(3)} AS is_before', ...fields, ...figures].join(', '),
    where: [anyOf(wholeRanges('at', isCompared)), ...conditions, ...where],
  })
  const ofEvents = (time: string, conditions: readonly string[]): ActivityPart => {
    const signed = question.clock === 'occurred' ? 'toInt64' : 'toUInt64'
    return {
      table: 'activity',
      select: [
        `toStartOfHour(toDateTime(${time}, 'UTC')) AS at`,
        `${time} < {from: DateTime64(3)} AS is_before`,
        ...fields,
        `sum(${signed}(activity.times)) AS times`,
        `sum(${signed}(activity.work_units)) AS work_units`,
        `${histogram('duration', signed)} AS durations`,
        `${histogram('elapsed', signed)} AS elapsed`,
      ].join(', '),
      where: [...conditions, ...where],
      groupBy: ['at', 'is_before', ...fields],
    }
  }
  const time = EVENT_TIME[question.clock]
  return {
    parts: [
      rolled(table, [`at >= ${SINCE}`]),
      ...(question.clock === 'occurred' ? [rolled(moved, [])] : []),
      ofEvents('occurred_at', [anyOf(wholeRanges('occurred_at', isCompared)), `occurred_at < ${SINCE}`]),
      ofEvents(time, [within(question.clock, 'begin', 'to'), anyOf(restRanges(time, isCompared))]),
    ],
    parameters: wholeUnits(question, unitMs),
  }
}
