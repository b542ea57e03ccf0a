import type { ClaimId } from '../../schemas/domain/ids.ts'
import type { Fault } from '../../schemas/domain/vocabulary.ts'

/** What a step says about each signal of its batch. The runtime acts on it; a step never touches a topic. */

/** The signal goes on, with what the step adds to it. */
export interface Next<Adds> {
  readonly kind: 'next'
  readonly adds: Adds
  /** The claim that the signal became evidence of, for whoever counts what happened by claim. */
  readonly claimId?: ClaimId
  /** What the step came to, as the signal's trace shows it: our words, never a sender's. */
  readonly note?: string
}

/** The signal ends here as it should, because it repeats `duplicateOf`; null for a test, which repeats nothing. */
export interface Skip {
  readonly kind: 'skip'
  readonly reason: string
  readonly duplicateOf: string | null
}

/** Something transient stood in the way: the signal comes back to its segment's head later. */
export interface Retry {
  readonly kind: 'retry'
  readonly reason: string
}

/** It can never succeed. `fault` keeps apart what the sender did wrong, what we did wrong, and what costs more CPU than it may. */
export interface Dead {
  readonly kind: 'dead'
  readonly reason: string
  readonly fault: Exclude<Fault, 'transient'>
  /** What such letters are grouped by; by default what the fault says. */
  readonly errorClass?: string
}

/** Somebody erased whom or what it is of after it was received: it goes no further, and nothing of it is kept. */
export interface Erased {
  readonly kind: 'erased'
  readonly reason: string
}

export type StepResult<Adds> = Next<Adds> | Skip | Retry | Dead | Erased

export const next = <Adds>(adds: Adds, details: Pick<Next<Adds>, 'claimId' | 'note'> = {}): Next<Adds> => ({
  kind: 'next',
  adds,
  ...details,
})
export const skip = (reason: string, duplicateOf: string | null): Skip => ({ kind: 'skip', reason, duplicateOf })
export const erased: Erased = { kind: 'erased', reason: 'erased' }
export const retry = (reason: string): Retry => ({ kind: 'retry', reason })
export const dead = (reason: string, fault: Dead['fault'] = 'sender', errorClass?: string): Dead => ({
  kind: 'dead',
  reason,
  fault,
  ...(errorClass === undefined ? {} : { errorClass }),
})
