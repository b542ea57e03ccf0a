import { createHash } from 'node:crypto'
import type { Analytics } from '../../../infra/clickhouse/port.ts'
import type { Codec } from '../../../infra/log/codec.ts'
import type { Batch, Consumer, Log, StoredRecord, TopicPartition } from '../../../infra/log/port.ts'
import { AssayError, isAssayError } from '../../../infra/runtime/errors.ts'
import { yieldToEventLoop } from '../../../infra/runtime/yielding.ts'
import { isUuid } from '../../../schemas/domain/ids.ts'
import type { ActivityRecord } from '../../../schemas/events/activity.ts'
import { ACTIVITY_TOPIC } from '../../../schemas/events/topics.ts'
import { hostSink } from '../../framework/host-sink.ts'
import type { Observer } from '../../framework/step.ts'
import { type Breaker, firstOffset, type Handler, nextOffset } from '../../framework/wait-for-dependency.ts'
import { storeEvents } from './store-events.ts'

/**
 * One insert into ClickHouse. The block's bounds are committed before it is sent, so a repeated send has the same
 * records.
 */
interface Block extends TopicPartition {
  readonly start: number
  /** The offset after the last record. */
  readonly end: number
  readonly records: readonly StoredRecord[]
}

/** The block end in a commit's metadata: the records up to it are one block. Null without one. */
const recordedEnd = (metadata: string): number | null => {
  const [, end] = /^block-end:(\d{1,15})$/.exec(metadata) ?? []
  return end === undefined ? null : Number(end)
}

const recordEnd = (end: number): string => `block-end:${end}`

/** Deduplication token of a block. The digest tells a recreated log, whose offsets start over, from the old one. */
const tokenOf = ({ topic, partition, start, end, records }: Block): string => {
  const digest = createHash('sha256')
  for (const record of records) digest.update(record.value)
  return `${topic}:${partition}:${start}:${end}:${digest.digest('hex').slice(0, 16)}`
}

/** Decoding 32 records takes less than a millisecond. */
const RECORDS_A_TURN = 32

/**
 * The block's events, each once. A record that cannot be a row is left out and noted, so that it does not block the
 * others.
 */
const eventsOf = async (
  { records }: Block,
  codec: Codec<ActivityRecord>,
  observer: Observer,
): Promise<readonly ActivityRecord[]> => {
  const events = new Map<string, ActivityRecord>()
  for (const [place, { topic, partition, offset, value }] of records.entries()) {
    if (place % RECORDS_A_TURN === 0) await yieldToEventLoop()
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

export const ACTIVITY_GROUP = 'assay.activity'

export interface ActivityOptions {
  readonly log: Log
  readonly analytics: Analytics
  readonly activityCodec: Codec<ActivityRecord>
  readonly breaker: Breaker
  readonly observer: Observer
  /** Time that a block waits for more records, ms. */
  readonly lingerMs: number
  readonly maxRecords: number
  readonly now: () => number
}

/**
 * Writes activity to ClickHouse, each event once.
 *
 * The records of a partition pass three states:
 * - lingering: the batch has waited less than `lingerMs` and is not full. The batch stays uncommitted and comes again.
 * - cut: the block's end is in the metadata of a commit at its start. A restart finds the end there, and collects the
 *   records up to it in `buffered`.
 * - stored: the insert has succeeded, and the end is committed.
 */
export const hostActivity = (options: ActivityOptions): Promise<Consumer> =>
  hostSink(
    options,
    { name: 'activity', group: ACTIVITY_GROUP, topic: ACTIVITY_TOPIC, maxRecords: options.maxRecords },
    createHandler(options),
  )

const createHandler = (options: ActivityOptions): Handler => {
  /** Records of blocks that were cut before a restart and arrive in parts, by partition. */
  const buffered = new Map<number, readonly StoredRecord[]>()
  /** Offset for which each partition has already waited. */
  const lingered = new Map<number, number>()

  return async (batch, context) => {
    const { partition, topic } = batch
    const records = joined(buffered.get(partition), batch.records)
    const start = records[0]?.offset ?? firstOffset(batch)
    let end = cutBefore(batch, start)

    if (end === null) {
      const waitMs = lingered.get(partition) === start ? 0 : lingerFor(batch, options)
      lingered.set(partition, start)
      if (waitMs > 0) return { next: start, pauseMs: waitMs }
      end = nextOffset(batch)
      await context.commit(start, recordEnd(end))
    } else if (nextOffset(batch) < end) {
      buffered.set(partition, records)
      return { next: nextOffset(batch) }
    }
    const block = { topic, partition, start, end, records: records.filter(record => record.offset < end) }
    await send(block, options)
    await context.commit(end)
    buffered.delete(partition)
    return { next: end }
  }
}

/** Buffered records and new ones; only the new ones when the partition was read from elsewhere. */
const joined = (before: readonly StoredRecord[] | undefined, now: readonly StoredRecord[]): readonly StoredRecord[] => {
  const last = before?.at(-1)
  return before !== undefined && last !== undefined && last.offset + 1 === now[0]?.offset ? [...before, ...now] : now
}

/** The end of a block that was cut before a restart and perhaps sent; null without one. */
const cutBefore = ({ committed, highWatermark }: Batch, start: number): number | null => {
  if (committed === null || committed.offset !== start) return null
  const end = recordedEnd(committed.metadata)
  return end !== null && end > start && end <= highWatermark ? end : null
}

const lingerFor = (batch: Batch, { lingerMs, maxRecords, now }: ActivityOptions): number => {
  const age = now() - (batch.records[0]?.timestamp ?? 0)
  return batch.records.length >= maxRecords ? 0 : Math.min(lingerMs, Math.max(0, lingerMs - age))
}

const send = async (block: Block, { analytics, activityCodec, observer }: ActivityOptions): Promise<void> => {
  const events = await eventsOf(block, activityCodec, observer)
  if (events.length > 0) await storeEvents(analytics, events, tokenOf(block))
  observer.batch(ACTIVITY_GROUP, block.records.length)
}
