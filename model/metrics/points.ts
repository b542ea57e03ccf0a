import type { Transaction } from '../../infra/postgres/port.ts'
import type { MetricPointId, SourceId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { MetricDirection } from '../../schemas/domain/vocabulary.ts'
import type { MetricPointRecord } from '../../schemas/events/metric-point.ts'

interface Point {
  readonly value: number
  readonly occurred_at: Date
}

/** Newest first. The point that was first received later is the newer of two points at one instant. */
const RECENT = `
  select requested.metric_id, point.value, point.occurred_at
  from unnest($1::uuid[]) as requested (metric_id)
  cross join lateral (
    select value, occurred_at, received_at, id from metric_points
    where metric_id = requested.metric_id order by occurred_at desc, received_at desc, id desc limit $2
  ) as point
  order by point.occurred_at desc, point.received_at desc, point.id desc`

/** Up to `limit` points of each metric, newest first. */
export const recentPoints = async (
  transaction: Transaction,
  metrics: readonly SourceId[],
  most: number,
): Promise<(metric: SourceId) => readonly Point[]> => {
  const rows =
    most === 0 ? [] : await transaction.query<Point & { readonly metric_id: SourceId }>(RECENT, [metrics, most])
  const byMetric = Map.groupBy(rows, ({ metric_id }) => metric_id)
  return metric => (byMetric.get(metric) ?? []).map(({ value, occurred_at }) => ({ value, occurred_at }))
}

interface ThinnedPoint extends Point {
  /** All points of the time, shown or not. */
  readonly points: number
}

/** Splits the points into equal parts by number and takes the last point of each. */
const THINNED = `
  with parted as (
    select value, occurred_at, received_at, id, ntile($3) over line as part, count(*) over ()::integer as points
    from metric_points
    where metric_id = $1 and ($2::timestamptz is null or occurred_at >= $2) and ($4::timestamptz is null or occurred_at <= $4)
    window line as (order by occurred_at, received_at, id)
  )
  select distinct on (part) value, occurred_at, points
  from parted order by part, occurred_at desc, received_at desc, id desc`

/**
 * Points of a metric in a period, oldest first. With more than `most` points, the last of each of `most` equal parts,
 * which include the newest.
 */
export const thinnedPoints = async (
  transaction: Transaction,
  {
    metric,
    since,
    until = null,
    most,
  }: { readonly metric: string; readonly since: Date | null; readonly until?: Date | null; readonly most: number },
): Promise<{ readonly count: number; readonly points: readonly Point[] }> => {
  const rows = await transaction.query<ThinnedPoint>(THINNED, [metric, since, most, until])
  return {
    count: rows[0]?.points ?? 0,
    points: rows.map(({ value, occurred_at }) => ({ value, occurred_at })),
  }
}

export const METRIC_CHANGES = ['better', 'worse', 'same'] as const
type MetricChange = (typeof METRIC_CHANGES)[number]

/** Change of a metric between two readings, seen from its good direction. */
export const metricChangeOf = (direction: MetricDirection, previous: number, newest: number): MetricChange => {
  if (newest === previous) return 'same'
  return newest > previous === (direction === 'up_is_good') ? 'better' : 'worse'
}

/** True when a reading has reached the target. */
export const hasReached = (direction: MetricDirection, target: number, value: number): boolean =>
  direction === 'up_is_good' ? value >= target : value <= target

export interface LoggedPoint extends MetricPointRecord {
  readonly log_partition: number
  readonly log_offset: number
  /** Time at which the log took it, milliseconds since the epoch. */
  readonly logged_at: number
}

export interface StoredPoint {
  readonly point_id: MetricPointId
  readonly workspace_id: WorkspaceId
  readonly metric_id: SourceId
  readonly value: number
  readonly occurred_at: Date
  /** First receipt. */
  readonly received_at: Date
  readonly revision: number
}

/**
 * Each point once, in the log's order: with the last value, the last date that a sender gave, and the first receipt.
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
 * The last point on the log wins: by the offset within a partition, by the log's time for another partition or a
 * recreated one. A point without a date stays at its first receipt, however often its sender repeats it.
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
 * Stores points in the log's order. Answers each as it is stored now, perhaps with another value. Redelivered points
 * change nothing.
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
