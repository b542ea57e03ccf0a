import type { Transaction } from '../../infra/postgres/port.ts'
import type { SourceId } from '../../schemas/domain/ids.ts'

interface Row {
  readonly metric_id: SourceId
  readonly value: number
  readonly occurred_at: Date
}

/** The newest first; of two points at one instant the one first received later counts as the newer. */
const RECENT = `
  select asked.metric_id, point.value, point.occurred_at
  from unnest($1::uuid[]) as asked (metric_id)
  cross join lateral (
    select value, occurred_at, received_at, id from metric_points
    where metric_id = asked.metric_id order by occurred_at desc, received_at desc, id desc limit $2
  ) as point
  order by point.occurred_at desc, point.received_at desc, point.id desc`

/** Up to so many points of each metric, the newest first. */
export const recentPoints = async (
  transaction: Transaction,
  metrics: readonly SourceId[],
  most: number,
): Promise<(metric: SourceId) => readonly Pick<Row, 'value' | 'occurred_at'>[]> => {
  const rows = most === 0 ? [] : await transaction.query<Row>(RECENT, [metrics, most])
  const byMetric = Map.groupBy(rows, ({ metric_id }) => metric_id)
  return metric => (byMetric.get(metric) ?? []).map(({ value, occurred_at }) => ({ value, occurred_at }))
}
