import type { Codec } from '../infra/log/codec.ts'
import type { OutgoingRecord } from '../infra/log/port.ts'
import { type LiveShare, receivedRecord } from '../model/signals/received-signals.ts'
import type { ActivityRecord } from '../schemas/events/activity.ts'
import type { MetricPointRecord } from '../schemas/events/metric-point.ts'
import type { SignalRecord } from '../schemas/events/signal.ts'
import { ACTIVITY_TOPIC, HEADERS, METRIC_POINTS_TOPIC } from '../schemas/events/topics.ts'
import type { Draft } from './receivers/receiver.ts'

/** Writes each kind of draft in the log's format. */
export interface IngestCodecs {
  readonly signalCodec: Pick<Codec<SignalRecord>, 'encode'>
  readonly activityCodec: Pick<Codec<ActivityRecord>, 'encode'>
  readonly metricPointCodec: Pick<Codec<MetricPointRecord>, 'encode'>
}

/** A draft as the record of its topic. Signals spread over the partitions by their id, activity by workspace; a metric's points keep their order. */
export const encodeDraft = async (
  draft: Draft,
  codecs: IngestCodecs,
  traceparent: string,
  share: LiveShare,
): Promise<OutgoingRecord> => {
  if (draft.what === 'signal') {
    const laneOf = (bytes: number) => share(draft.record.tenant_id, bytes)
    return receivedRecord(codecs.signalCodec, draft.record, traceparent, laneOf)
  }
  const headers = { [HEADERS.traceparent]: traceparent }
  if (draft.what === 'metric_point') {
    const value = await codecs.metricPointCodec.encode(draft.record)
    return { topic: METRIC_POINTS_TOPIC, key: draft.record.metric_id, value, headers }
  }
  const value = await codecs.activityCodec.encode(draft.record)
  return { topic: ACTIVITY_TOPIC, key: draft.record.workspace_id, value, headers }
}
