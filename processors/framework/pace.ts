import { AssayError } from '../../infra/runtime/errors.ts'
import { yieldToEventLoop } from '../../infra/runtime/yielding.ts'
import type { StepName } from '../../schemas/domain/vocabulary.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import type { Outcome } from './step.ts'

/** Runs a per-signal step on another thread. */
export type Offload = (step: StepName, signal: SignalRecord) => Promise<Outcome>

/** Keeps a batch from blocking its thread and its consumer group. */
export interface Pace {
  /** CPU budget of a step for one record, ms. */
  readonly cpuBudgetMs: number
  /** Runs long signals on another thread; null runs them on this one. */
  readonly offload: Offload | null
  /**
   * Called between two pieces of work. Yields to the event loop when that is due, and sends the group a heartbeat now
   * and then. Rejects with `partition_lost` when the consumer stops or another member has the partition.
   */
  checkpoint(): Promise<void>
  /** True when the batch has used its time. Finished records are committed; the rest comes with the next batch. */
  isSpent(): boolean
}

export interface PaceOptions {
  readonly cpuBudgetMs: number
  /** Time after which a batch is cut, if its step allows that. */
  readonly batchMs: number
  /** Default: long signals run on this thread. */
  readonly offload?: Offload | null
}

/** The embedded log removes a member after 30 s without a heartbeat. */
const HEARTBEAT_MS = 1000

/** The partitions of a batch. */
export interface Holding {
  /** True when the consumer stops, or another member has one of the partitions. */
  isLost(): boolean
  /** Tells the group that the member works on a long batch. */
  heartbeat(): Promise<void>
}

export const createPace = (
  { isLost, heartbeat }: Holding,
  { cpuBudgetMs, batchMs, offload = null }: PaceOptions,
): Pace => {
  const started = performance.now()
  let beatAt = Number.NEGATIVE_INFINITY
  return {
    cpuBudgetMs,
    offload,
    async checkpoint() {
      await yieldToEventLoop()
      if (isLost()) throw new AssayError('partition_lost', 'The partition was given up in the middle of a batch.')
      if (performance.now() - beatAt < HEARTBEAT_MS) return
      await heartbeat()
      beatAt = performance.now()
    },
    isSpent: () => performance.now() - started >= batchMs,
  }
}
