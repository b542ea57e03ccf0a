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

/** Points in the log's order with each identity once: the last value, the last date that a sender gave, the first receipt. */
export const latestPerPoint = (points: readonly LoggedPoint[]): readonly LoggedPoint[] => {
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
