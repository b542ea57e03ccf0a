import type { SignalRecord } from '../../schemas/events/signal.ts'
import type { Dead, Erased, Next, Retry, Skip } from './results.ts'

/** A step's result as the runtime acts on it: a failure also has a class to group by, and what was thrown, if anything was. */
export type Outcome = Next<Partial<SignalRecord>> | Skip | Erased | ((Retry | Dead) & Failure)

export interface Failure {
  readonly errorClass: string
  readonly cause?: unknown
}
