import type { ClaimId } from '../../schemas/domain/ids.ts'
import type { Fault, StepName } from '../../schemas/domain/vocabulary.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import type { Lane } from '../../schemas/events/topics.ts'

/** Fields of every record, whatever a step needs. */
type Identity = Pick<
  SignalRecord,
  'signal_id' | 'tenant_id' | 'workspace_id' | 'source_id' | 'channel' | 'received_at' | 'is_test' | 'automatic'
>

/** A signal whose named fields are not null. */
export type WithParts<Part extends keyof SignalRecord> = Identity & {
  readonly [P in Part]: NonNullable<SignalRecord[P]>
}

/**
 * A step: a function over a batch. `Needs` are the fields that it reads, `Adds` those that it sets. It answers one
 * result for each signal, in order. An error concerns the whole batch: after `unavailable` the runtime waits for the
 * dependency, another retriable error sends the batch to retry, and any other error is traced to the record that causes
 * it. A step that awaits others reads strangers' text only through `withinRemainingCpu` or `inTimeBoundParts`
 * (`infra/runtime/`). `withinRemainingCpu` ends reading that uses up the CPU budget; each signal is then tried alone.
 */
type Step<Needs, Adds> = (batch: readonly Needs[]) => Promise<readonly StepResult<Adds>[]>

export interface StepDefinition<Needs, Adds> {
  readonly name: StepName
  /** One sentence for the pipeline reference. */
  readonly summary: string
  /** The guarantee for a record that is delivered again. */
  readonly guarantee: string
  /** Version of the step's model or rules, stored with each outcome. */
  readonly version: string
  /**
   * The step looks at each signal alone, awaits nothing, and may run twice for a signal. The runtime may cut its
   * batches anywhere, so that costly signals block nobody, and leave the rest to the next batch.
   */
  readonly isPerSignal?: true
  readonly run: Step<Needs, Adds>
}

/** A step's answer for one signal. The runtime acts on it; a step never touches a topic. */

/** The signal goes on, with what the step adds to it. */
interface Next<Adds> {
  readonly kind: 'next'
  readonly adds: Adds
  /** The claim that got the signal as evidence, for counts by claim. */
  readonly claimId?: ClaimId
  /** Result of the step for the signal's trace, in our own words, never a sender's. */
  readonly note?: string
}

/** The signal ends here because it repeats `duplicateOf`. Null for a test, which repeats nothing. */
interface Skip {
  readonly kind: 'skip'
  readonly reason: string
  readonly duplicateOf: string | null
}

/** A transient failure: the signal comes back to its segment's head later. */
interface Retry {
  readonly kind: 'retry'
  readonly reason: string
}

/**
 * The signal can never succeed. `fault` tells apart the sender's error, our own error, too much CPU, and automatic mail
 * that waits for a person.
 */
interface Dead {
  readonly kind: 'dead'
  readonly reason: string
  readonly fault: Exclude<Fault, 'transient'>
  /** Class by which dead letters are grouped; default: the class of `fault`. */
  readonly errorClass?: string
}

/** Somebody erased the signal's person or source after it was received. Nothing of the signal is kept. */
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

/** A step's result for the runtime. A failure also has a class, and the thrown error if there was one. */
export type Outcome = Next<Partial<SignalRecord>> | Skip | Erased | ((Retry | Dead) & Failure)

export interface Failure {
  readonly errorClass: string
  readonly cause?: unknown
}

/** Receives the runtime's events, for metrics and the process log. Never gets a record's content. */
export interface Observer {
  stepRan(step: StepName, lane: Lane, milliseconds: number, records: number): void
  /** A step's outcome for one signal, and the signal's age since its receipt. */
  outcome(step: StepName, lane: Lane, kind: string, ageMs: number): void
  retry(step: StepName, lane: Lane): void
  deadLetter(step: StepName, lane: Lane, fault: string): void
  batch(group: string, records: number): void
  /** A group stands still for this time, because a dependency is away. */
  pause(group: string, milliseconds: number): void
  note(message: string, facts: Readonly<Record<string, unknown>>): void
}
