import type { ActivityQuery } from '../parts/activity-rows.ts'
import {
  FIELDS,
  type Field,
  type FilterOperator,
  GRANULARITIES,
  type Granularity,
  METRICS,
  type Metric,
} from './activity-vocabulary.ts'

interface Filter {
  readonly field: Field
  readonly op: FilterOperator
  readonly values: readonly string[]
}

export interface ActivityQuestion {
  readonly metrics: readonly Metric[]
  readonly groupBy: readonly Field[]
  readonly from: Date
  readonly to: Date
  /** Null: one figure for the whole time. */
  readonly granularity: Granularity | null
  readonly timeZone: string
  readonly filters: readonly Filter[]
  readonly order: { readonly by: Metric | 'period'; readonly direction: 'asc' | 'desc' }
  readonly limit: number
  readonly offset: number
}

const condition = ({ field, op }: Filter, index: number): string => {
  const column = FIELDS[field]
  const values = `{filter_${index}: Array(String)}`
  if (op === 'contains') return `multiSearchAnyCaseInsensitiveUTF8(${column}, ${values})`
  return `${column} ${op === 'in' ? 'IN' : 'NOT IN'} ${values}`
}

/** The period as ISO 8601 with its offset, so that an hour that a clock change repeats is two. */
const period = (granularity: Granularity): string =>
  `formatDateTime(${GRANULARITIES[granularity]}, '%Y-%m-%dT%H:%i:%S%z', {zone: String}) AS period`

/** The statement's clauses for a question. Names come from the allow-lists, values are bound. */
export const activityQuery = (question: ActivityQuestion): ActivityQuery => {
  const { granularity, groupBy, metrics, filters, order } = question
  const dimensions = [
    ...(granularity === null ? [] : [period(granularity)]),
    ...groupBy.map(field => `${FIELDS[field]} AS by_${field}`),
  ]
  const names = [...(granularity === null ? [] : ['period']), ...groupBy.map(field => `by_${field}`)]
  const ordered = order.by === 'period' ? 'period' : `metric_${order.by}`
  return {
    select: [
      ...dimensions,
      ...metrics.map(metric => `${METRICS[metric]} AS metric_${metric}`),
      'count() OVER () AS total',
    ].join(', '),
    where: ['occurred_at >= {from: DateTime64(3)}', 'occurred_at < {to: DateTime64(3)}', ...filters.map(condition)],
    groupBy: names,
    orderBy: [`${ordered} ${order.direction.toUpperCase()}`, ...names].join(', '),
    limit: question.limit,
    offset: question.offset,
    parameters: {
      from: question.from,
      to: question.to,
      ...(granularity === null ? {} : { zone: question.timeZone }),
      ...Object.fromEntries(filters.map(({ values }, index) => [`filter_${index}`, [...values]])),
    },
  }
}
