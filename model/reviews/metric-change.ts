import type { Transaction } from '../../infra/postgres/port.ts'
import type { MetricDirection } from '../../schemas/domain/vocabulary.ts'
import type { Window } from '../changes/window.ts'
import { changeOf, type MetricChange, reaches } from '../metrics/change.ts'

/** A metric bound to a node: its last value before the period and its last value in it. */
export interface MetricFigure {
  readonly name: string
  readonly node: string
  readonly direction: MetricDirection
  readonly value: number
  readonly value_before: number | null
  readonly change: MetricChange | null
  readonly target: number | null
  readonly on_target: boolean | null
}

type Row = Omit<MetricFigure, 'change' | 'on_target'>

const lastWithin = (condition: string): string => `
  select value from metric_points
  where workspace_id = bound.workspace_id and metric_id = bound.metric_id and ${condition}
  order by occurred_at desc, received_at desc, id desc limit 1`

const METRICS = `
  select bound.name, map_nodes.name as node, bound.direction, bound.target, last.value, earlier.value as value_before
  from metric_bindings bound
  join map_nodes on map_nodes.id = bound.node_id
  cross join lateral (${lastWithin('occurred_at > $1 and occurred_at <= $2')}) last
  left join lateral (${lastWithin('occurred_at <= $1')}) earlier on true
  order by bound.name, map_nodes.name, bound.node_id
  limit $3`

/** The bound metrics that have points in the period, by name. */
export const metricFigures = async (
  transaction: Transaction,
  { from, to }: Window,
  limit: number,
): Promise<MetricFigure[]> =>
  (await transaction.query<Row>(METRICS, [from, to, limit])).map(row => ({
    ...row,
    change: row.value_before === null ? null : changeOf(row.direction, row.value_before, row.value),
    on_target: row.target === null ? null : reaches(row.direction, row.target, row.value),
  }))
