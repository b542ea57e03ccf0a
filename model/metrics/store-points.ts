import type { Transaction } from '../../infra/postgres/port.ts'
import { type LoggedPoint, latestPerPoint, type StoredPoint } from './points.ts'

/**
 * The last one on the log wins: further on in its partition, or taken later where the partition is another one or was made anew.
 * A point without a date stays at the instant that it was first received at, however often its sender repeats it.
 */
const STORE = `
  insert into metric_points as known
    (id, workspace_id, metric_id, value, occurred_at, dated, received_at, log_partition, log_offset, logged_at)
  select point_id, workspace_id, metric_id, value, coalesce(occurred_at, received_at),
    occurred_at is not null, received_at, log_partition, log_offset, logged_at
  from jsonb_to_recordset($1::jsonb) as point
    (point_id uuid, workspace_id uuid, metric_id uuid, value double precision, occurred_at timestamptz,
     received_at timestamptz, log_partition integer, log_offset bigint, logged_at timestamptz)
  order by point_id
  on conflict (id) do update set
    value = excluded.value,
    occurred_at = case when excluded.dated then excluded.occurred_at else known.occurred_at end,
    dated = known.dated or excluded.dated,
    log_partition = excluded.log_partition,
    log_offset = excluded.log_offset,
    logged_at = excluded.logged_at,
    revision = known.revision + 1
  where (excluded.log_partition = known.log_partition and excluded.log_offset > known.log_offset)
     or excluded.logged_at > known.logged_at`

const READ = `
  select id as point_id, workspace_id, metric_id, value, occurred_at, received_at, revision
  from metric_points where id = any ($1::uuid[])`

/** Stores points in the log's order; answers each as it is kept now, which may be with another value. Delivered again, they change nothing. */
export const storePoints = async (
  transaction: Transaction,
  points: readonly LoggedPoint[],
): Promise<readonly StoredPoint[]> => {
  if (points.length === 0) return []
  const rows = latestPerPoint(points).map(point => ({
    ...point,
    occurred_at: point.occurred_at === null ? null : new Date(point.occurred_at),
    received_at: new Date(point.received_at),
    logged_at: new Date(point.logged_at),
  }))
  await transaction.query(STORE, [JSON.stringify(rows)])
  return transaction.query<StoredPoint>(READ, [rows.map(row => row.point_id)])
}
