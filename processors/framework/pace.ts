import { AssayError } from '../../infra/runtime/errors.ts'
import { yieldToEventLoop } from '../../infra/runtime/turns.ts'
import type { StepName } from '../../schemas/domain/vocabulary.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import type { Outcome } from './step.ts'

/** Runs a step that looks at each signal alone on another thread. */
export type RunApart = (step: StepName, signal: SignalRecord) => Promise<Outcome>

/** How a batch keeps from holding up what shares its thread and its group. */
export interface Pace {
  /** The CPU that a step may use for one record, in milliseconds. */
  readonly cpuBudgetMs: number
  /** Where long signals are worked on; null: on this thread, as the others. */
  readonly apart: RunApart | null
  /**
   * Between two pieces of work: gives the event loop its turn when it had none for long, so that heartbeats go out, and
   * tells the group now and then that the batch is worked on. Rejects with `partition_lost` when the consumer stops or
   * another has the partition.
   */
  rest(): Promise<void>
  /**
   * Whether the batch had its time: what has not been begun of it comes with the next one, and what is done is
   * committed.
   */
  isOver(): boolean
}

export interface PaceOptions {
  readonly cpuBudgetMs: number
  /** How long a batch may take before it is cut, where it can be. */
  readonly batchMs: number
  /** Unless given, long signals are worked on by this thread. */
  readonly apart?: RunApart | null
}

/** The embedded log forgets a member after 30 s. */
const HEARTBEAT_MS = 1000

/** How a batch's partitions are held. */
export interface Holding {
  /** Whether the consumer stops, or another has one of the partitions. */
  isLost(): boolean
  /** Tells the group that a long batch is still being worked on. */
  heartbeat(): Promise<void>
}

export const createPace = (
  { isLost, heartbeat }: Holding,
  { cpuBudgetMs, batchMs, apart = null }: PaceOptions,
): Pace => {
  const started = performance.now()
  let beatAt = Number.NEGATIVE_INFINITY
  return {
    cpuBudgetMs,
    apart,
    async rest() {
      await yieldToEventLoop()
      if (isLost()) throw new AssayError('partition_lost', 'The partition was given up in the middle of a batch.')
      if (performance.now() - beatAt < HEARTBEAT_MS) return
      await heartbeat()
      beatAt = performance.now()
    },
    isOver: () => performance.now() - started >= batchMs,
  }
}

/**
 * Shares a thread between the lanes: bulk runs freely while live is idle, and for a part of the time while it is not.
 */
export interface LaneScheduler {
  /** Notes that live has work. */
  liveRuns(): void
  /** Whether live had work lately, and may have more at any moment. */
  isLiveBusy(): boolean
  /** How long the next batch of bulk has to stay back, in milliseconds; 0 takes its turn. */
  bulkWaitMs(): number
  /** Notes that a batch of bulk is over, which took so long. */
  bulkRan(tookMs: number): void
}

interface LaneShareOptions {
  /** Live counts as idle when it had no batch for so long. */
  readonly idleAfterMs: number
  /** The part of the time that bulk has while live is busy, above 0 and at most 1. */
  readonly bulkPart: number
  readonly now: () => number
}

/** However long a batch took: bulk is behind live, and goes on all the same. */
const LONGEST_WAIT_MS = 2000

export const createLaneScheduler = ({ idleAfterMs, bulkPart, now }: LaneShareOptions): LaneScheduler => {
  let liveAt = Number.NEGATIVE_INFINITY
  let bulkFrom = Number.NEGATIVE_INFINITY
  const isLiveBusy = () => now() - liveAt < idleAfterMs
  return {
    isLiveBusy,
    liveRuns: () => {
      liveAt = now()
    },
    bulkWaitMs: () => Math.max(0, Math.min(bulkFrom, liveAt + idleAfterMs) - now()),
    bulkRan: tookMs => {
      // From what is owed already: the batches of several groups add up.
      const from = Math.max(bulkFrom, now()) + tookMs * (1 / bulkPart - 1)
      bulkFrom = Math.min(from, now() + LONGEST_WAIT_MS)
    },
  }
}
