import type { Analytics } from '../../../infra/clickhouse/port.ts'
import type { Codec } from '../../../infra/log/codec.ts'
import type { Batch, Consumer, Log, StoredRecord } from '../../../infra/log/port.ts'
import type { ActivityRecord } from '../../../schemas/events/activity.ts'
import { ACTIVITY_TOPIC } from '../../../schemas/events/topics.ts'
import type { Breaker } from '../../framework/breaker.ts'
import type { Observer } from '../../framework/observer.ts'
import { firstOffset, type Handler, nextOffset, waitForDependency } from '../../framework/wait-for-dependency.ts'
import { type Block, eventsOf, recordEnd, recordedEnd, tokenOf } from './block.ts'
import { storeEvents } from './store-events.ts'

export const ACTIVITY_GROUP = 'assay.activity'

export interface ActivityOptions {
  readonly log: Log
  readonly analytics: Analytics
  readonly activityCodec: Codec<ActivityRecord>
  readonly breaker: Breaker
  readonly observer: Observer
  /** How long a block waits for more, in milliseconds. */
  readonly lingerMs: number
  readonly maxRecords: number
  readonly now: () => number
}

/** Writes activity to ClickHouse, each event once. */
export const hostActivity = (options: ActivityOptions): Promise<Consumer> =>
  options.log.consume({
    group: ACTIVITY_GROUP,
    topics: [ACTIVITY_TOPIC],
    maxRecords: options.maxRecords,
    onBatch: waitForDependency(ACTIVITY_GROUP, options.breaker, options.observer, createHandler(options)),
  })

const createHandler = (options: ActivityOptions): Handler => {
  /** Records of blocks that were cut before a restart and are delivered in parts, by partition. */
  const buffered = new Map<number, readonly StoredRecord[]>()
  /** Where each partition has waited for more already. */
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

/** What was held, and what came: unless the partition was read from elsewhere meanwhile. */
const joined = (before: readonly StoredRecord[] | undefined, now: readonly StoredRecord[]): readonly StoredRecord[] => {
  const last = before?.at(-1)
  return before !== undefined && last !== undefined && last.offset + 1 === now[0]?.offset ? [...before, ...now] : now
}

/** The end of the block that was cut here and perhaps sent before; null when there is none. */
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
