import type { AvroRecord } from './avro.ts'

/** `MetricPointRecord` in Avro. A field that is added needs a default, so that what older programs wrote can still be read. */
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
