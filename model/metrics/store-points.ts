import type { Transaction } from '../../infra/postgres/port.ts'
import type { MetricPointId, SourceId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { MetricPointRecord } from '../../schemas/events/metric-point.ts'

/** A point as it came off the log. */
export interface LoggedPoint extends MetricPointRecord {
  readonly log_partition: number
  readonly log_offset: number
  /** When the log took it, milliseconds since the epoch. */
  readonly logged_at: number
}

/** A point as it is kept. */
export interface StoredPoint {
  readonly point_id: MetricPointId
  readonly workspace_id: WorkspaceId
  readonly metric_id: SourceId
  readonly value: number
  readonly occurred_at: Date
  /** When it was first received. */
  readonly received_at: Date
  readonly revision: number
}

/**
 * Points in the log's order with each identity once: the last value, the last date that a sender gave, the first
 * receipt.
 */
const latestPerPoint = (points: readonly LoggedPoint[]): readonly LoggedPoint[] => {
  const byId = new Map<MetricPointId, LoggedPoint>()
  for (const point of points) {
    const before = byId.get(point.point_id)
    byId.set(point.point_id, {
      ...point,
      occurred_at: point.occurred_at ?? before?.occurred_at ?? null,
      received_at: before?.received_at ?? point.received_at,
    })
  }
  return [...byId.values()]
}

/**
 * The last one on the log wins: further on in its partition, or taken later where the partition is another one or was
 * made anew. A point without a date stays at the instant that it was first received at, however often its sender
 * repeats it.
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

/**
 * Stores points in the log's order; answers each as it is kept now, which may be with another value. Delivered again,
 * they change nothing.
 */
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
