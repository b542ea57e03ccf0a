import type { Codec } from '../../infra/log/codec.ts'
import type { Offset, OutgoingRecord, StoredRecord } from '../../infra/log/port.ts'
import type { ActivityRecord } from '../../schemas/events/activity.ts'
import { ACTIVITY_TOPIC } from '../../schemas/events/topics.ts'

/** Everything that is to be appended because of a batch. It knows what is of which record, so that a batch can be cut. */
export interface Outputs {
  move(of: StoredRecord, record: OutgoingRecord): void
  tell(of: StoredRecord, event: ActivityRecord): void
  /** What is of the records below `end`: first where they go, then what happened to them. */
  below(end: Offset, codec: Codec<ActivityRecord>): Promise<readonly OutgoingRecord[]>
}

export const createOutputs = (): Outputs => {
  const moves: { readonly at: Offset; readonly record: OutgoingRecord }[] = []
  const events: { readonly at: Offset; readonly event: ActivityRecord }[] = []
  return {
    move: ({ offset: at }, record) => void moves.push({ at, record }),
    tell: ({ offset: at }, event) => void events.push({ at, event }),
    async below(end, codec) {
      const records = moves.filter(({ at }) => at < end).map(({ record }) => record)
      for (const { at, event } of events) {
        if (at >= end) continue
        records.push({ topic: ACTIVITY_TOPIC, key: event.subject_id, value: await codec.encode(event) })
      }
      return records
    },
  }
}
