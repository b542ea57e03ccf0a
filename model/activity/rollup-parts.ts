import { MEASURED } from './activity-metrics.ts'
import type { ActivityQuestion } from './activity-question.ts'
import type { ActivityPart } from './activity-rows.ts'
import type { Field } from './activity-vocabulary.ts'
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

const histogram = (of: keyof typeof MEASURED): string =>
  `sumMapIf(map(${bucketOf(`${of}_ms`)}, toUInt64(1)), ${MEASURED[of]})`

/** Which of a rollup's fields the figures look at, beside those that they are grouped by. */
const fieldsOf = ({ groupBy, metrics }: ActivityQuestion): readonly Field[] => [
  ...new Set<Field>([...groupBy, ...(metrics.includes('acceptance_rate') ? (['kind', 'channel'] as const) : [])]),
]

/**
 * The rows of a rollup for the whole units in the question's time, and rollup rows made of the events for what is left at the ends, or
 * was there before the rollups were: columns `at`, `is_before`, fields and figures. `where` is the question's own filters.
 */
export const rollupParts = (
  question: ActivityQuestion,
  rollup: Rollup,
  where: readonly string[],
): { readonly parts: readonly ActivityPart[]; readonly parameters: Readonly<Record<string, Date>> } => {
  const { table, unitMs } = ROLLUPS[rollup]
  const fields = fieldsOf(question)
  const isCompared = question.before !== null
  const completeHours = [
    'at >= {complete_from: DateTime64(3)} AND at < {complete_to: DateTime64(3)}',
    ...(isCompared
      ? ['at >= {complete_previous_from: DateTime64(3)} AND at < {complete_previous_to: DateTime64(3)}']
      : []),
  ]
  // Ranges of the primary key, each by itself: of a negation ClickHouse would read all.
  const left = [
    `occurred_at < ${SINCE}`,
    'occurred_at >= {complete_to: DateTime64(3)}',
    ...(isCompared
      ? [
          'occurred_at < {complete_previous_from: DateTime64(3)}',
          'occurred_at >= {complete_previous_to: DateTime64(3)} AND occurred_at < {complete_from: DateTime64(3)}',
        ]
      : ['occurred_at < {complete_from: DateTime64(3)}']),
  ]
  const fromRollup: ActivityPart = {
    table,
    select: ['at', 'at < {from: DateTime64(3)} AS is_before', ...fields, 'times, work_units, durations, elapsed'].join(
      ', ',
    ),
    where: [completeHours.map(range => `(${range})`).join(' OR '), `at >= ${SINCE}`, ...where],
  }
  const fromEvents: ActivityPart = {
    table: 'activity',
    select: [
      `toStartOfHour(toDateTime(occurred_at, 'UTC')) AS at`,
      'occurred_at < {from: DateTime64(3)} AS is_before',
      ...fields,
      'sum(toUInt64(activity.times)) AS times',
      'sum(toUInt64(activity.work_units)) AS work_units',
      `${histogram('duration')} AS durations`,
      `${histogram('elapsed')} AS elapsed`,
    ].join(', '),
    where: [
      'occurred_at >= {begin: DateTime64(3)} AND occurred_at < {to: DateTime64(3)}',
      left.map(range => `(${range})`).join(' OR '),
      ...where,
    ],
    groupBy: ['at', 'is_before', ...fields],
  }
  return { parts: [fromRollup, fromEvents], parameters: wholeUnits(question, unitMs) }
}
