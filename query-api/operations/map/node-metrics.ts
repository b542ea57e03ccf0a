import { type Static, Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { readBindings } from '../../../model/metrics/bindings.ts'
import { recentPoints } from '../../../model/metrics/recent-points.ts'
import { MetricShape, metricShape } from '../metrics/metric-shape.ts'
import { instant } from '../parts/fields.ts'

/** A metric bound to a node, with how it came to where it is. */
export const NodeMetric = Type.Object({
  ...MetricShape.properties,
  points: Type.Array(Type.Object({ value: Type.Number(), occurred_at: instant }), { description: 'The newest first.' }),
})
type NodeMetric = Static<typeof NodeMetric>

/** The metrics of a node by name, at most so many, with at most so many points each. */
export const nodeMetrics = async (
  transaction: Transaction,
  node: string,
  most: { readonly metrics: number; readonly points: number },
): Promise<NodeMetric[]> => {
  const bindings = (await readBindings(transaction, [node])).slice(0, most.metrics)
  const metrics = bindings.map(({ metric_id }) => metric_id)
  const pointsOf = await recentPoints(transaction, metrics, most.points)
  return bindings.map(binding => ({
    ...metricShape(binding),
    points: pointsOf(binding.metric_id).map(({ value, occurred_at }) => ({
      value,
      occurred_at: occurred_at.toISOString(),
    })),
  }))
}
