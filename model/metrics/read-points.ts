import type { Transaction } from '../../infra/postgres/port.ts'
import type { SourceId } from '../../schemas/domain/ids.ts'
import type { MetricDirection } from '../../schemas/domain/vocabulary.ts'

interface Point {
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
): Promise<(metric: SourceId) => readonly Point[]> => {
  const rows =
    most === 0 ? [] : await transaction.query<Point & { readonly metric_id: SourceId }>(RECENT, [metrics, most])
  const byMetric = Map.groupBy(rows, ({ metric_id }) => metric_id)
  return metric => (byMetric.get(metric) ?? []).map(({ value, occurred_at }) => ({ value, occurred_at }))
}

interface ThinnedPoint extends Point {
  /** Points of the time, shown or not. */
  readonly points: number
}

/** Equal parts by number, each of them told by its last point: with as many parts as points, every point is one. */
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
 * The points of a metric since a time, or since ever, and until another, the oldest first. Where there are more than
 * `most`, the last of each of so many equal parts: the newest is always among them.
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

/** What became of a metric between two readings, by the direction that is good for it. */
export const metricChangeOf = (direction: MetricDirection, previous: number, newest: number): MetricChange => {
  if (newest === previous) return 'same'
  return newest > previous === (direction === 'up_is_good') ? 'better' : 'worse'
}

/** Whether a reading has reached the target or gone beyond it. */
export const hasReached = (direction: MetricDirection, target: number, value: number): boolean =>
  direction === 'up_is_good' ? value >= target : value <= target
