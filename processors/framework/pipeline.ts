import type { StepName } from '../../schemas/domain/vocabulary.ts'
import { type ErasedStep, stepOrdinals } from './chain.ts'
import { cutIntoSegments, type Segment, type SeparateSteps } from './segment.ts'

/** How a head's records are spread: by signal, or by workspace so that duplicates of a workspace meet in one partition. */
export type Partitioning = 'signal' | 'workspace'

/** What the framework must know of the steps, which it does not know itself. */
export interface PipelineRules {
  /** The step that takes personal data away: records of heads up to it may hold some. */
  readonly scrubbedBy: StepName
  /** Heads up to this one are keyed by signal, those behind it by workspace. */
  readonly keyedBySignalThrough: StepName
  readonly apart: readonly SeparateSteps[]
}

export interface Pipeline {
  readonly steps: readonly ErasedStep[]
  readonly segments: readonly Segment[]
  readonly rules: PipelineRules
  /** From 1. */
  ordinalOf(step: StepName): number
  /** Whether a record that waits at this head may hold personal data. */
  isPersonal(head: StepName): boolean
  spreadOf(head: StepName): Partitioning
}

/** Rejects with `invalid_configuration` when the heads do not fit the steps; see `cutIntoSegments`. */
export const createPipeline = (
  steps: readonly ErasedStep[],
  heads: readonly StepName[],
  rules: PipelineRules,
): Pipeline => {
  const places = stepOrdinals(steps)
  const ordinalOf = (step: StepName) => places.get(step) ?? 0
  const upTo = (head: StepName, last: StepName) => ordinalOf(head) <= ordinalOf(last)
  return {
    steps,
    segments: cutIntoSegments(steps, heads, rules.apart),
    rules,
    ordinalOf,
    isPersonal: head => upTo(head, rules.scrubbedBy),
    spreadOf: head => (upTo(head, rules.keyedBySignalThrough) ? 'signal' : 'workspace'),
  }
}
