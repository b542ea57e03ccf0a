import { MEASURED } from './activity-metrics.ts'
import type { ActivityQuestion } from './activity-question.ts'
import type { ActivityPart } from './activity-rows.ts'
import type { Field } from './activity-vocabulary.ts'
import { EVENT_TIME, within } from './event-time.ts'
import { ROLLUPS, type Rollup } from './rollups.ts'

/** Whole units inside each of the periods, as bound times. */
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

/** Which of a rollup's fields the figures look at, beside those that they are grouped by. */
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

/** What is left of the question's periods. Each by itself: of a negation ClickHouse would read all. */
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

/** Figures that may be taken away again. */
const SIGNED = FIGURES.map(figure =>
  figure === 'times' || figure === 'work_units'
    ? `toInt64(${figure}) AS ${figure}`
    : `CAST(${figure}, 'Map(Int16, Int64)') AS ${figure}`,
)

/**
 * The rows of a rollup for the whole units in the question's time, and rollup rows made of the events for what is left at the ends, or
 * was there before the rollups were: columns `at`, `is_before`, fields and figures. By the time that it happened, what was received at
 * another one is taken away and put to its own. `where` is the question's own filters.
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
