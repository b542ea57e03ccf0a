import type { Codec } from '../infra/log/codec.ts'
import type { OutgoingRecord } from '../infra/log/port.ts'
import type { ActivityRecord } from '../schemas/events/activity.ts'
import type { SignalRecord } from '../schemas/events/signal.ts'
import { ACTIVITY_TOPIC, HEADERS, signalsTopic } from '../schemas/events/topics.ts'
import type { Draft } from './receivers/receiver.ts'

/** Writes each kind of draft in the log's format. */
export interface IngestCodecs {
  readonly signalCodec: Pick<Codec<SignalRecord>, 'encode'>
  readonly activityCodec: Pick<Codec<ActivityRecord>, 'encode'>
}

/** A draft as the record of its topic. Signals spread over the partitions by their id, activity by workspace. */
export const encodeDraft = async (draft: Draft, codecs: IngestCodecs, traceparent: string): Promise<OutgoingRecord> => {
  const headers = { [HEADERS.traceparent]: traceparent }
  switch (draft.what) {
    case 'signal': {
      const value = await codecs.signalCodec.encode(draft.record)
      return { topic: signalsTopic('validate'), key: draft.record.signal_id, value, headers }
    }
    case 'activity': {
      const value = await codecs.activityCodec.encode(draft.record)
      return { topic: ACTIVITY_TOPIC, key: draft.record.workspace_id, value, headers }
    }
  }
}
