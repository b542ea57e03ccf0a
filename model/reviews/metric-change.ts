import type { Transaction } from '../../infra/postgres/port.ts'
import type { MetricDirection } from '../../schemas/domain/vocabulary.ts'
import type { Window } from '../changes/window.ts'
import { hasReached, metricChangeOf } from '../metrics/change.ts'
import { thinnedPoints } from '../metrics/read-points.ts'
import type { ReviewFigures } from './review-figures.ts'

/** A metric bound to a node: its last value before the period and its last value in it. */
interface Row {
  readonly metric_id: string
  readonly name: string
  readonly node: string
  readonly node_id: string
  readonly direction: MetricDirection
  readonly value: number
  readonly previous_value: number | null
  readonly target: number | null
}

/** As many as a small chart has room for. */
const MAX_POINTS = 30

const lastWithin = (condition: string): string => `
  select value from metric_points
  where workspace_id = bound.workspace_id and metric_id = bound.metric_id and ${condition}
  order by occurred_at desc, received_at desc, id desc limit 1`

const METRICS = `
  select bound.metric_id, bound.name, map_nodes.name as node, map_nodes.id as node_id, bound.direction, bound.target, last.value, earlier.value as previous_value
  from metric_bindings bound
  join map_nodes on map_nodes.id = bound.node_id
  cross join lateral (${lastWithin('occurred_at > $1 and occurred_at <= $2')}) last
  left join lateral (${lastWithin('occurred_at <= $1')}) earlier on true
  order by bound.name, map_nodes.name, bound.node_id
  limit $3`

/** The bound metrics that have points in the period, by name, with these points. */
export const metricFigures = async (
  transaction: Transaction,
  { from, to }: Window,
  limit: number,
): Promise<ReviewFigures['metrics']> => {
  const figures: ReviewFigures['metrics'] = []
  for (const { metric_id: metric, ...row } of await transaction.query<Row>(METRICS, [from, to, limit])) {
    const { points } = await thinnedPoints(transaction, { metric, since: from, until: to, most: MAX_POINTS })
    figures.push({
      ...row,
      change: row.previous_value === null ? null : metricChangeOf(row.direction, row.previous_value, row.value),
      on_target: row.target === null ? null : hasReached(row.direction, row.target, row.value),
      points: points.map(({ value, occurred_at }) => ({ occurred_at: occurred_at.toISOString(), value })),
    })
  }
  return figures
}
