import type { StepName } from '../../schemas/domain/vocabulary.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import type { StepResult } from './results.ts'

/** Identity is on every record, whichever parts a step asks for. */
type Identity = Pick<SignalRecord, 'signal_id' | 'tenant_id' | 'workspace_id' | 'source_id' | 'channel' | 'received_at'>

/** A signal on which the named parts are there, no longer null. */
export type With<Part extends keyof SignalRecord> = Identity & {
  readonly [P in Part]: NonNullable<SignalRecord[P]>
}

/**
 * A step: a function over a batch. `Needs` lists just the fields that it reads, `Adds` those that it sets.
 * It answers one result for each signal, in order. A throw concerns the whole batch: `unavailable` makes the runtime wait
 * for the dependency, another retriable error sends the batch to retry, anything else is traced to the record that causes it.
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
  readonly run: Step<Needs, Adds>
}
