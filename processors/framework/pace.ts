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
