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

/** A signal's events at the time that the last of its steps here knows: the first one has not read it yet. */
const atTheirTime = (events: readonly ActivityRecord[]): readonly ActivityRecord[] => {
  const times = new Map<string, number>()
  for (const { subject_id, happened_at } of events) {
    times.set(subject_id, Math.min(happened_at, times.get(subject_id) ?? happened_at))
  }
  return events.map(event => ({ ...event, happened_at: times.get(event.subject_id) ?? event.happened_at }))
}

export const createOutputs = (): Outputs => {
  const moves: { readonly at: Offset; readonly record: OutgoingRecord }[] = []
  const events: { readonly at: Offset; readonly event: ActivityRecord }[] = []
  return {
    move: ({ offset: at }, record) => void moves.push({ at, record }),
    tell: ({ offset: at }, event) => void events.push({ at, event }),
    async below(end, codec) {
      const records = moves.filter(({ at }) => at < end).map(({ record }) => record)
      const told = events.filter(({ at }) => at < end).map(({ event }) => event)
      for (const event of atTheirTime(told)) {
        records.push({ topic: ACTIVITY_TOPIC, key: event.subject_id, value: await codec.encode(event) })
      }
      return records
    },
  }
}
