import type { Codec } from '../infra/log/codec.ts'
import type { OutgoingRecord } from '../infra/log/port.ts'
import { receivedRecord } from '../model/signals/received-record.ts'
import type { ActivityRecord } from '../schemas/events/activity.ts'
import type { SignalRecord } from '../schemas/events/signal.ts'
import { ACTIVITY_TOPIC, HEADERS } from '../schemas/events/topics.ts'
import type { Draft } from './receivers/receiver.ts'

/** Writes each kind of draft in the log's format. */
export interface IngestCodecs {
  readonly signalCodec: Pick<Codec<SignalRecord>, 'encode'>
  readonly activityCodec: Pick<Codec<ActivityRecord>, 'encode'>
}

/** A draft as the record of its topic. Signals spread over the partitions by their id, activity by workspace. */
export const encodeDraft = async (draft: Draft, codecs: IngestCodecs, traceparent: string): Promise<OutgoingRecord> => {
  if (draft.what === 'signal') return receivedRecord(codecs.signalCodec, draft.record, traceparent)
  const value = await codecs.activityCodec.encode(draft.record)
  const headers = { [HEADERS.traceparent]: traceparent }
  return { topic: ACTIVITY_TOPIC, key: draft.record.workspace_id, value, headers }
}
