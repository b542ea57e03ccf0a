import type { ClaimId } from '../../schemas/domain/ids.ts'
import type { Fault, StepName } from '../../schemas/domain/vocabulary.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import type { Lane } from '../../schemas/events/topics.ts'

/** Identity is on every record, whichever parts a step asks for. */
type Identity = Pick<
  SignalRecord,
  'signal_id' | 'tenant_id' | 'workspace_id' | 'source_id' | 'channel' | 'received_at' | 'is_test' | 'automatic'
>

/** A signal on which the named parts are there, no longer null. */
export type WithParts<Part extends keyof SignalRecord> = Identity & {
  readonly [P in Part]: NonNullable<SignalRecord[P]>
}

/**
 * A step: a function over a batch. `Needs` lists just the fields that it reads, `Adds` those that it sets. It answers
 * one result for each signal, in order. A throw concerns the whole batch: `unavailable` makes the runtime wait for the
 * dependency, another retriable error sends the batch to retry, anything else is traced to the record that causes it.
 * One that waits for others reads what strangers wrote by `withinRest` alone, which ends that when it uses up what is
 * left of the CPU budget, to be tried again for each signal alone, or with `inTimeBoundParts` (`infra/runtime/`).
 */
type Step<Needs, Adds> = (batch: readonly Needs[]) => Promise<readonly StepResult<Adds>[]>

export interface StepDefinition<Needs, Adds> {
  readonly name: StepName
  /** One sentence for the pipeline reference. */
  readonly summary: string
  /** What is true of its effects when a record is delivered again. */
  readonly guarantee: string
  /** Version of its model or rules, kept with each outcome. */
  readonly version: string
  /**
   * It looks at each signal alone, and waits for nothing: the runtime cuts its batches where it likes, so that many
   * dear signals hold nobody up, and leaves the rest of a batch that takes too long to the next one. Running it twice
   * for a signal changes nothing.
   */
  readonly isPerSignal?: true
  readonly run: Step<Needs, Adds>
}

/** What a step says about each signal of its batch. The runtime acts on it; a step never touches a topic. */

/** The signal goes on, with what the step adds to it. */
interface Next<Adds> {
  readonly kind: 'next'
  readonly adds: Adds
  /** The claim that the signal became evidence of, for whoever counts what happened by claim. */
  readonly claimId?: ClaimId
  /** What the step came to, as the signal's trace shows it: our words, never a sender's. */
  readonly note?: string
}

/** The signal ends here as it should, because it repeats `duplicateOf`; null for a test, which repeats nothing. */
interface Skip {
  readonly kind: 'skip'
  readonly reason: string
  readonly duplicateOf: string | null
}

/** Something transient stood in the way: the signal comes back to its segment's head later. */
interface Retry {
  readonly kind: 'retry'
  readonly reason: string
}

/**
 * It can never succeed. `fault` keeps apart what the sender did wrong, what we did wrong, what costs more CPU than it
 * may, and what waits for somebody who wants it.
 */
interface Dead {
  readonly kind: 'dead'
  readonly reason: string
  readonly fault: Exclude<Fault, 'transient'>
  /** What such letters are grouped by; by default what the fault says. */
  readonly errorClass?: string
}

/** Somebody erased whom or what it is of after it was received: it goes no further, and nothing of it is kept. */
interface Erased {
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

/**
 * A step's result as the runtime acts on it: a failure also has a class to group by, and what was thrown, if anything
 * was.
 */
export type Outcome = Next<Partial<SignalRecord>> | Skip | Erased | ((Retry | Dead) & Failure)

export interface Failure {
  readonly errorClass: string
  readonly cause?: unknown
}

/** What the runtime tells about its work, for metrics and the process log. Never holds any of a record's content. */
export interface Observer {
  /** A step has worked on a batch of so many records. */
  stepRan(step: StepName, lane: Lane, milliseconds: number, records: number): void
  /** What a step said about one signal, so long after the signal was received. */
  outcome(step: StepName, lane: Lane, kind: string, ageMs: number): void
  retry(step: StepName, lane: Lane): void
  deadLetter(step: StepName, lane: Lane, fault: string): void
  batch(group: string, records: number): void
  /** A group stands still for so long, because a dependency is away. */
  pause(group: string, milliseconds: number): void
  note(message: string, facts: Readonly<Record<string, unknown>>): void
}
