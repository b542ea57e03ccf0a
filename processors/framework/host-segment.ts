import { firstWithin } from '../../infra/log/partition-loop.ts'
import type { Batch, BatchContext, Consumer, Continuation, Log, Offset } from '../../infra/log/port.ts'
import { inBackground, inForeground } from '../../infra/runtime/turns.ts'
import { type Lane, signalsTopic } from '../../schemas/events/topics.ts'
import { type Delivered, joinBatches } from './joint-batches.ts'
import type { LaneScheduler } from './lane-scheduler.ts'
import { createPace, type Holding, type PaceOptions } from './pace.ts'
import { processBatch, type SegmentWork } from './process-batch.ts'
import { segmentGroup } from './topics.ts'
import { type Breaker, firstOffset, nextOffset, waitForDependency } from './wait-for-dependency.ts'

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
 * Beside others' live work a batch of bulk is a text or two: a transaction of it has the store to itself, and live
 * waits for its end.
 */
const BESIDE_LIVE = { maxRecords: Number.POSITIVE_INFINITY, maxBytes: 64 * 1024 }

/**
 * Consumes a segment's topic in one lane. All outputs of a batch are appended at once, after those of the batch before
 * it, and only then are the places of its partitions committed: a crash between the two makes the same outputs again.
 * The next batch is worked on meanwhile. What a batch had no time for comes with the next one. While a dependency is
 * away, or people hold the segment still, the partition stands still, with nothing tried.
 */
export const hostSegment = (given: HostedSegment): Promise<Consumer> => {
  const { segment, lane, log, breaker, observer, maxRecords, share } = given
  const hosted: HostedSegment = { ...given, onTenants: tenants => share.begins(lane, tenants) }
  const group = segmentGroup(segment.head, lane)
  const limits = { maxRecords, maxBytes: MAX_BYTES[lane] }
  const workJointly = joinBatches(limits, joint => inLane(hosted, () => work(hosted, group, joint)))
  return log.consume({
    group,
    topics: [signalsTopic(segment.head, lane)],
    ...limits,
    onBatch: waitForDependency(group, breaker, observer, (batch, context) =>
      onBatch(hosted, workJointly, batch, context),
    ),
  })
}

const onBatch = async (
  { lane, share, isPaused }: HostedSegment,
  workJointly: (batch: Batch, context: BatchContext) => Promise<Worked>,
  batch: Batch,
  context: BatchContext,
): Promise<Continuation> => {
  const first = firstOffset(batch)
  if (isPaused()) return { next: first, pauseMs: PAUSED_MS }
  const pauseMs = lane === 'bulk' ? share.bulkWaitMs() : 0
  if (pauseMs > 0) return { next: first, pauseMs }

  const { next, appended } = await workJointly(batch, context)
  const commit = async (): Promise<void> => {
    await appended
    if (next > first) await context.commit(next)
  }
  return { next, completion: commit() }
}

const inLane = async <T>({ lane, share }: HostedSegment, run: () => Promise<T>): Promise<T> => {
  if (lane === 'live') return inForeground(run)
  const beganAt = performance.now()
  const worked = share.liveWork() === 'own' ? inForeground(run) : inBackground(run)
  return worked.finally(() => share.bulkRan(performance.now() - beganAt))
}

/** How far a batch of a partition came. */
interface Worked {
  readonly next: Offset
  /** Resolves when all that comes of the batch is in the log. */
  readonly appended: Promise<void>
}

/** Works on what partitions brought; what comes of it is being appended when it answers. */
const work = async (hosted: HostedSegment, group: string, joint: readonly Delivered[]): Promise<readonly Worked[]> => {
  const { lane, share } = hosted
  const isBeside = lane === 'bulk' && share.liveWork() === 'of others'
  const delivered = joint.flatMap(({ batch }) => batch.records)
  const records = isBeside ? firstWithin(delivered, BESIDE_LIVE) : delivered
  const pace = createPace(holdingOf(joint), hosted.pace)
  const { outputs, done } = await processBatch(records, hosted, pace)
  await pace.rest()
  const append = async (): Promise<void> => {
    await Promise.all(joint.map(({ context }) => context.before))
    if (outputs.length > 0) await hosted.log.append(outputs)
    hosted.observer.batch(group, done)
  }
  const appended = append()
  return placesAfter(joint, done).map(next => ({ next, appended }))
}

/** Where one of the partitions is lost, nothing of the batch counts: the others bring theirs again. */
const holdingOf = (joint: readonly Delivered[]): Holding => ({
  isLost: () => joint.some(({ context }) => context.signal.aborted),
  // Each of them is heard by the group that all are of.
  heartbeat: async () => joint[0]?.context.heartbeat(),
})

/** The place that each partition has reached when so many of the records are done, counted through all of them. */
const placesAfter = (joint: readonly Delivered[], done: number): readonly Offset[] => {
  let before = 0
  return joint.map(({ batch }) => {
    const firstUndone = batch.records[Math.max(0, done - before)]
    before += batch.records.length
    return firstUndone?.offset ?? nextOffset(batch)
  })
}
