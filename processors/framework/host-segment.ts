import type { Batch, BatchContext, Consumer, Continuation, Log } from '../../infra/log/port.ts'
import { inBackground, inForeground } from '../../infra/runtime/turns.ts'
import { type Lane, signalsTopic } from '../../schemas/events/topics.ts'
import { createPace, type LaneScheduler, type PaceOptions } from './pace.ts'
import { processBatch, type SegmentWork } from './process-batch.ts'
import { segmentGroup } from './topics.ts'
import { type Breaker, firstOffset, waitForDependency } from './wait-for-dependency.ts'

export interface HostedSegment extends SegmentWork {
  readonly log: Log
  readonly breaker: Breaker
  readonly maxRecords: number
  readonly share: LaneScheduler
  readonly pace: PaceOptions
  /** Whether people hold the segment still. */
  readonly isPaused: () => boolean
}

/** How soon a segment that was held still sees that it is not any more. */
const PAUSED_MS = 1000
/**
 * What a batch costs grows with its bytes: two hundred ordinary signals are a tenth of what live takes. One of bulk is
 * short in each of its statements too, since the database gives way to nobody.
 */
const MAX_BYTES: Readonly<Record<Lane, number>> = { live: 2 * 1024 * 1024, bulk: 256 * 1024 }

/**
 * Beside live work a batch of bulk is a text or two: a transaction of it has the store to itself, and live waits for
 * its end.
 */
const BESIDE_LIVE_BYTES = 64 * 1024

/** The first records of a batch, at least one, that together have no more bytes than that. */
const firstOf = (records: Batch['records'], most: number): Batch['records'] => {
  let bytes = 0
  const end = records.findIndex(({ value }) => {
    bytes += value.byteLength
    return bytes > most
  })
  return end === -1 ? records : records.slice(0, Math.max(1, end))
}

/**
 * Consumes a segment's topic in one lane. All outputs of a batch are appended at once, and only then is its place
 * committed: a crash between the two makes the same outputs again. What a batch had no time for comes with the next
 * one. While a dependency is away, or people hold the segment still, the partition stands still, with nothing tried.
 */
export const hostSegment = (hosted: HostedSegment): Promise<Consumer> => {
  const { segment, lane, log, breaker, observer, maxRecords } = hosted
  const group = segmentGroup(segment.head, lane)
  return log.consume({
    group,
    topics: [signalsTopic(segment.head, lane)],
    maxRecords,
    maxBytes: MAX_BYTES[lane],
    onBatch: waitForDependency(group, breaker, observer, (batch, context) => onBatch(hosted, group, batch, context)),
  })
}

const onBatch = async (
  hosted: HostedSegment,
  group: string,
  batch: Batch,
  context: BatchContext,
): Promise<Continuation> => {
  const { lane, share, isPaused } = hosted
  if (isPaused()) return { next: firstOffset(batch), pauseMs: PAUSED_MS }
  if (lane === 'live') share.liveRuns()
  const pauseMs = lane === 'bulk' ? share.bulkWaitMs() : 0
  if (pauseMs > 0) return { next: firstOffset(batch), pauseMs }

  if (lane === 'live') return inForeground(() => work(hosted, group, batch, context))
  const beganAt = performance.now()
  return inBackground(() => work(hosted, group, batch, context)).finally(() => {
    share.bulkRan(performance.now() - beganAt)
  })
}

const work = async (
  hosted: HostedSegment,
  group: string,
  batch: Batch,
  context: BatchContext,
): Promise<Continuation> => {
  const isBeside = hosted.lane === 'bulk' && hosted.share.isLiveBusy()
  const records = isBeside ? firstOf(batch.records, BESIDE_LIVE_BYTES) : batch.records
  const { outputs, next } = await processBatch(records, hosted, createPace(context, hosted.pace))
  if (context.signal.aborted) return { next: firstOffset(batch) }
  if (outputs.length > 0) await hosted.log.append(outputs)
  await context.commit(next)
  hosted.observer.batch(group, batch.records.filter(({ offset }) => offset < next).length)
  return { next }
}
