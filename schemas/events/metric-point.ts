import type { MetricPointId, SourceId, WorkspaceId } from '../domain/ids.ts'
import type { AvroRecord } from './avro.ts'

/**
 * A record of the `metrics.points` topic: a metric's value at an instant. `metricPointSchema` has the same shape in
 * Avro.
 */
export interface MetricPointRecord {
  /** Derived from the metric and the sender's key, or else the instant: a repeated request gives the same point. */
  readonly point_id: MetricPointId
  readonly workspace_id: WorkspaceId
  /** The source of kind `metric`. */
  readonly metric_id: SourceId
  readonly value: number
  /** Milliseconds since the epoch. Null when the sender gave no time: the instant of the first receipt counts. */
  readonly occurred_at: number | null
  /** When the edge took it, milliseconds since the epoch. */
  readonly received_at: number
}

/** `MetricPointRecord` in Avro. A new field needs a default, so that records of older programs stay readable. */
export const metricPointSchema = {
  type: 'record',
  name: 'MetricPoint',
  namespace: 'assay.events',
  doc: "A metric's value at an instant.",
  fields: [
    {
      name: 'point_id',
      type: 'string',
      doc: "UUID, derived from the metric and the sender's key, or else its instant: what is sent again is the same point.",
    },
    { name: 'workspace_id', type: 'string', doc: 'UUID of the workspace that it belongs to.' },
    { name: 'metric_id', type: 'string', doc: 'UUID of the source that it came in through.' },
    { name: 'value', type: 'double', doc: 'A finite number.' },
    {
      name: 'occurred_at',
      type: ['null', 'long'],
      default: null,
      doc: 'Milliseconds since the epoch; null when the sender did not say.',
    },
    { name: 'received_at', type: 'long', doc: 'When the edge took it, milliseconds since the epoch.' },
  ],
} as const satisfies AvroRecord
