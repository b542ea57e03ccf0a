import { firstWithin } from '../../infra/log/partition-loop.ts'
import type { Batch, BatchContext, Consumer, Continuation, Log, Offset } from '../../infra/log/port.ts'
import { inBackground, inForeground } from '../../infra/runtime/yielding.ts'
import { type Lane, signalsTopic } from '../../schemas/events/topics.ts'
import { coalesceBatches, type PartitionBatch } from './joint-batches.ts'
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
  /** True while people pause the segment. */
  readonly isPaused: () => boolean
}

/** Interval at which a paused segment checks its pause. */
const PAUSED_MS = 1000
/**
 * A batch's cost grows with its bytes; 200 ordinary signals are a tenth of the live limit. A bulk batch is smaller,
 * because each of its statements must be short: the database does not interrupt one for live work.
 */
const MAX_BYTES: Readonly<Record<Lane, number>> = { live: 2 * 1024 * 1024, bulk: 256 * 1024 }

/** Limit of a bulk batch while other tenants have live work: live waits for the end of a bulk transaction. */
const BESIDE_LIVE = { maxRecords: Number.POSITIVE_INFINITY, maxBytes: 64 * 1024 }

/**
 * Consumes a segment's topic in one lane. The outputs of a batch are appended together, after those of the batch
 * before. The offsets are committed after the append, so a crash between both makes the same outputs again. The next
 * batch starts during the append. Records that a batch had no time for come with the next batch. While a dependency is
 * away or people pause the segment, the partition stands still and no attempt is counted.
 */
export const hostSegment = (given: HostedSegment): Promise<Consumer> => {
  const { segment, lane, log, breaker, observer, maxRecords, share } = given
  const hosted: HostedSegment = { ...given, onTenants: tenants => share.begins(lane, tenants) }
  const group = segmentGroup(segment.head, lane)
  const limits = { maxRecords, maxBytes: MAX_BYTES[lane] }
  const workJointly = coalesceBatches(limits, joint => inLane(hosted, () => work(hosted, group, joint)))
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

/** Progress of a batch of one partition. */
interface Worked {
  readonly next: Offset
  /** Resolves when all outputs of the batch are in the log. */
  readonly appended: Promise<void>
}

/** Works on the batches of several partitions. Answers while the outputs are still being appended. */
const work = async (
  hosted: HostedSegment,
  group: string,
  joint: readonly PartitionBatch[],
): Promise<readonly Worked[]> => {
  const { lane, share } = hosted
  const isBeside = lane === 'bulk' && share.liveWork() === 'of others'
  const delivered = joint.flatMap(({ batch }) => batch.records)
  const records = isBeside ? firstWithin(delivered, BESIDE_LIVE) : delivered
  const pace = createPace(holdingOf(joint), hosted.pace)
  const { outputs, done } = await processBatch(records, hosted, pace)
  await pace.checkpoint()
  const append = async (): Promise<void> => {
    await Promise.all(joint.map(({ context }) => context.before))
    if (outputs.length > 0) await hosted.log.append(outputs)
    hosted.observer.batch(group, done)
  }
  const appended = append()
  return placesAfter(joint, done).map(next => ({ next, appended }))
}

/** When one partition is lost, the whole joint batch is discarded: the other partitions deliver their batches again. */
const holdingOf = (joint: readonly PartitionBatch[]): Holding => ({
  isLost: () => joint.some(({ context }) => context.signal.aborted),
  // One heartbeat is enough: all partitions belong to one group.
  heartbeat: async () => joint[0]?.context.heartbeat(),
})

/** The offset that each partition has reached, after the first `done` records of the joint batch. */
const placesAfter = (joint: readonly PartitionBatch[], done: number): readonly Offset[] => {
  let before = 0
  return joint.map(({ batch }) => {
    const firstUndone = batch.records[Math.max(0, done - before)]
    before += batch.records.length
    return firstUndone?.offset ?? nextOffset(batch)
  })
}
