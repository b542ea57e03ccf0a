import type { MetricPointId, SourceId, WorkspaceId } from '../domain/ids.ts'

/** The record of the `metrics.points` topic: a metric's value at an instant. `metric-point.avsc.ts` is the same shape in Avro. */
export interface MetricPointRecord {
  /** Derived from the metric and the sender's key, or else its instant: what is sent again is the same point. */
  readonly point_id: MetricPointId
  readonly workspace_id: WorkspaceId
  /** The source of kind `metric` that it came in through. */
  readonly metric_id: SourceId
  readonly value: number
  /** Milliseconds since the epoch; null when the sender did not say: then the point is of the instant it was first received at. */
  readonly occurred_at: number | null
  /** When the edge took it, milliseconds since the epoch. */
  readonly received_at: number
}
