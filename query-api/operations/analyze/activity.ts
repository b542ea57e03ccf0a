import { type Static, Type } from 'typebox'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { readOperation } from '../define.ts'
import { activityRows } from '../parts/activity-rows.ts'
import { decodeCursor, nextCursor } from '../parts/cursor.ts'
import { cursor, DEFAULT_LIMIT, instant, limit, nullable, oneOf } from '../parts/fields.ts'
import { type ActivityQuestion, activityQuery } from './activity-query.ts'
import { FIELD_NAMES, FILTER_OPERATORS, type Granularity, METRIC_NAMES, type Metric } from './activity-vocabulary.ts'
import { Time, timeRange } from './time-range.ts'

const Filter = Type.Object({
  field: oneOf(FIELD_NAMES),
  op: oneOf(FILTER_OPERATORS, { description: 'contains: any of the values, letter case aside.' }),
  values: Type.Array(Type.String({ maxLength: 300 }), { minItems: 1, maxItems: 100 }),
})

const Order = Type.Object(
  { by: oneOf([...METRIC_NAMES, 'period']), direction: Type.Optional(oneOf(['asc', 'desc'])) },
  { description: 'Default: by period, else the highest of the first metric first.' },
)

/** The order asked for, or the usual one. Throws `invalid_input` for an order by what the answer does not have. */
const orderOf = (
  asked: Static<typeof Order> | undefined,
  metrics: readonly Metric[],
  granularity: Granularity | null,
): ActivityQuestion['order'] => {
  const by = asked?.by ?? (granularity === null ? (metrics[0] ?? 'count') : 'period')
  if (by === 'period' && granularity === null) {
    throw new AssayError('invalid_input', 'Ordering by period needs time.granularity.')
  }
  if (by !== 'period' && !metrics.includes(by)) {
    throw new AssayError('invalid_input', `Ordering by ${by} needs it among metrics.`)
  }
  return { by, direction: asked?.direction ?? (by === 'period' ? 'asc' : 'desc') }
}

type Row = Readonly<Record<string, string | number>> & { readonly total: number }

const toItem = (row: Row, question: ActivityQuestion) => ({
  period: question.granularity === null ? null : String(row.period),
  group: Object.fromEntries(question.groupBy.map(field => [field, String(row[`by_${field}`])])),
  // A quantile over nothing is not a number, which JSON cannot say.
  metrics: Object.fromEntries(question.metrics.map(metric => [metric, Number(row[`metric_${metric}`] ?? 0)])),
})

export const analyzeActivity = readOperation({
  name: 'analyze_activity',
  title: 'Count and measure what happened',
  summary:
    'Answers figures from the activity log: signals received and each step’s outcome, dead letters, code-host events, metric points, tool calls, Decisions. Choose metrics, group_by, time and filters. Kinds are signal.received, signal.step, signal.dead_letter, code_host.event, metric.received, tool.call, decision.made; filter by kind to count one of them. node and claim take ids.',
  units: 5,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({
    metrics: Type.Optional(
      Type.Array(oneOf(METRIC_NAMES), { minItems: 1, uniqueItems: true, description: 'Default count.' }),
    ),
    group_by: Type.Optional(
      Type.Array(oneOf(FIELD_NAMES), { maxItems: 4, uniqueItems: true, description: 'One row for each combination.' }),
    ),
    time: Type.Optional(Time),
    filters: Type.Optional(Type.Array(Filter, { maxItems: 20, description: 'All of them must hold.' })),
    order: Type.Optional(Order),
    limit,
    cursor,
  }),
  output: Type.Object({
    from: instant,
    to: instant,
    time_zone: Type.String(),
    count: Type.Integer({ description: 'Rows in all.' }),
    items: Type.Array(
      Type.Object({
        period: nullable(Type.String({ description: 'Start of the period, in the time zone asked for.' })),
        group: Type.Record(Type.String(), Type.String({ description: 'Empty where the field does not apply.' })),
        metrics: Type.Record(Type.String(), Type.Number()),
      }),
    ),
  }),
  run: async (input, { services, caller }) => {
    const position = decodeCursor('activity', input.cursor, services.now())
    const range = timeRange(input.time, position.at)
    const metrics: readonly Metric[] = input.metrics ?? ['count']
    const order = orderOf(input.order, metrics, range.granularity)
    const question: ActivityQuestion = {
      ...range,
      metrics,
      groupBy: input.group_by ?? [],
      filters: input.filters ?? [],
      order,
      limit: input.limit ?? DEFAULT_LIMIT,
      offset: position.offset,
    }
    const rows = await activityRows<Row>(services.analytics, caller.workspaceId, activityQuery(question))
    const count = rows[0]?.total ?? 0
    return {
      data: {
        from: range.from.toISOString(),
        to: range.to.toISOString(),
        time_zone: range.timeZone,
        count,
        items: rows.map(row => toItem(row, question)),
      },
      nextCursor: nextCursor('activity', position, rows.length, count),
    }
  },
})
