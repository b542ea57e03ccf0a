import type { Codec } from '../../infra/log/codec.ts'
import type { OutgoingRecord } from '../../infra/log/port.ts'
import { asAssayError } from '../../infra/runtime/errors.ts'
import { allValues, withValue } from '../../infra/runtime/promises.ts'
import { type ChooseLane, receivedRecord } from '../../model/signals/received-signals.ts'
import type { ActivityRecord } from '../../schemas/events/activity.ts'
import type { MetricPointRecord } from '../../schemas/events/metric-point.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import { ACTIVITY_TOPIC, HEADERS, METRIC_POINTS_TOPIC } from '../../schemas/events/topics.ts'
import { type Refusal, refusal, unavailable } from '../answer.ts'
import { serverOverloaded } from '../intake/intake.ts'
import type { Draft } from '../receivers/receiver.ts'
import type { Appender } from './appender.ts'

/** The codecs that encode drafts in the log's format. */
export interface IngestCodecs {
  readonly signalCodec: Pick<Codec<SignalRecord>, 'encode'>
  readonly activityCodec: Pick<Codec<ActivityRecord>, 'encode'>
  readonly metricPointCodec: Pick<Codec<MetricPointRecord>, 'encode'>
}

/**
 * Encodes a draft as a record of its topic. The key of a signal is its id, of activity the workspace, of a metric point
 * the metric, so that a metric's points keep their order.
 */
export const encodeDraft = (
  draft: Draft,
  codecs: IngestCodecs,
  traceparent: string,
  share: ChooseLane,
): OutgoingRecord | Promise<OutgoingRecord> => {
  if (draft.what === 'signal') {
    const laneOf = (bytes: number) => share(draft.record.tenant_id, bytes)
    return receivedRecord(codecs.signalCodec, draft.record, traceparent, laneOf)
  }
  const headers = { [HEADERS.traceparent]: traceparent }
  if (draft.what === 'metric_point') {
    const head = { topic: METRIC_POINTS_TOPIC, key: draft.record.metric_id, headers }
    return withValue(codecs.metricPointCodec.encode(draft.record), value => ({ ...head, value }))
  }
  const head = { topic: ACTIVITY_TOPIC, key: draft.record.workspace_id, headers }
  return withValue(codecs.activityCodec.encode(draft.record), value => ({ ...head, value }))
}

export interface AppendPorts {
  readonly appender: Pick<Appender, 'append'>
  readonly codecs: IngestCodecs
  readonly maxRecordBytes: number
  readonly share: ChooseLane
}

/** Appends all drafts, or none. Null once they are durable, else the refusal. */
export const appendDrafts = async (
  { appender, codecs, maxRecordBytes, share }: AppendPorts,
  drafts: readonly Draft[],
  traceparent: string,
): Promise<Refusal | null> => {
  if (drafts.length === 0) return null
  try {
    const encoding = allValues(drafts.map(draft => encodeDraft(draft, codecs, traceparent, share)))
    const records = encoding instanceof Promise ? await encoding : encoding
    if (records.some(record => record.value.byteLength > maxRecordBytes)) return recordTooLarge(maxRecordBytes)
    await appender.append(records)
    return null
  } catch (error) {
    const { code, retriable, retryAfterSeconds } = asAssayError(error)
    if (code === 'busy') return serverOverloaded(retryAfterSeconds ?? 1)
    if (!retriable) throw error
    const detail = 'The request could not be stored durably. Repeat it, with the same idempotency key if it has one.'
    return unavailable('log_unavailable', detail, retryAfterSeconds ?? 5)
  }
}

const recordTooLarge = (maxBytes: number): Refusal => {
  const detail = `What is kept of this request is larger than the ${maxBytes} bytes that a record may have. Send less metadata or a shorter text.`
  return refusal(413, 'record_too_large', detail)
}
