import type { StepName } from '../../schemas/domain/vocabulary.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import type { StepResult } from './results.ts'

/** Identity is on every record, whichever parts a step asks for. */
type Identity = Pick<
  SignalRecord,
  'signal_id' | 'tenant_id' | 'workspace_id' | 'source_id' | 'channel' | 'received_at' | 'is_test'
>

/** A signal on which the named parts are there, no longer null. */
export type WithParts<Part extends keyof SignalRecord> = Identity & {
  readonly [P in Part]: NonNullable<SignalRecord[P]>
}

/**
 * A step: a function over a batch. `Needs` lists just the fields that it reads, `Adds` those that it sets.
 * It answers one result for each signal, in order. A throw concerns the whole batch: `unavailable` makes the runtime wait
 * for the dependency, another retriable error sends the batch to retry, anything else is traced to the record that causes it.
 * What it does before it first waits is ended when it uses up its CPU budget, and tried again for each signal alone; after that it reads
 * what strangers wrote by `withinRest` alone, with what is left of the budget, or with `inTimeBoundParts` (`infra/runtime/`).
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
   * It looks at each signal alone, and waits for nothing: the runtime cuts its batches where it likes, so that many dear signals hold
   * nobody up, and leaves the rest of a batch that takes too long to the next one. Running it twice for a signal changes nothing.
   */
  readonly isPerSignal?: true
  readonly run: Step<Needs, Adds>
}
