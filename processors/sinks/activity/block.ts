import { createHash } from 'node:crypto'
import type { Codec } from '../../../infra/log/codec.ts'
import type { StoredRecord, TopicPartition } from '../../../infra/log/port.ts'
import { AssayError, isAssayError } from '../../../infra/runtime/errors.ts'
import { yieldToEventLoop } from '../../../infra/runtime/turns.ts'
import { isUuid } from '../../../schemas/domain/ids.ts'
import type { ActivityRecord } from '../../../schemas/events/activity.ts'
import type { Observer } from '../../framework/observer.ts'

/** What goes to ClickHouse as one insert: always the same records, since its edges are recorded before it is sent. */
export interface Block extends TopicPartition {
  readonly start: number
  /** The offset after its last record. */
  readonly end: number
  readonly records: readonly StoredRecord[]
}

/** The edge that a commit's metadata records: everything up to `end` is one block. Null when there is none. */
export const recordedEnd = (metadata: string): number | null => {
  const [, end] = /^block-end:(\d{1,15})$/.exec(metadata) ?? []
  return end === undefined ? null : Number(end)
}

export const recordEnd = (end: number): string => `block-end:${end}`

/** Names the block. The digest keeps a log that was made anew, whose offsets start over, from being taken for the old one. */
export const tokenOf = ({ topic, partition, start, end, records }: Block): string => {
  const digest = createHash('sha256')
  for (const record of records) digest.update(record.value)
  return `${topic}:${partition}:${start}:${end}:${digest.digest('hex').slice(0, 16)}`
}

/** The block's events, each once. A record that cannot be a row is left out and noted: it must not hold up the others. */
export const eventsOf = async (
  { records }: Block,
  codec: Codec<ActivityRecord>,
  observer: Observer,
): Promise<readonly ActivityRecord[]> => {
  const events = new Map<string, ActivityRecord>()
  for (const { topic, partition, offset, value } of records) {
    await yieldToEventLoop()
    try {
      const event = await codec.decode(value)
      if (!isUuid(event.event_id) || !isUuid(event.workspace_id))
        throw new AssayError('invalid_input', 'An id is not a UUID.')
      if (!events.has(event.event_id)) events.set(event.event_id, event)
    } catch (error) {
      if (!isAssayError(error) || error.code !== 'invalid_input') throw error
      observer.note('An activity record cannot be a row and is left out', { topic, partition, offset })
    }
  }
  return [...events.values()]
}
