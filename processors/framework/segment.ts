import { AssayError } from '../../infra/runtime/errors.ts'
import type { StepName } from '../../schemas/domain/vocabulary.ts'
import type { ErasedStep } from './chain.ts'

/** Steps that hand batches to each other in memory. Its head has a topic; the segment behind it begins at `nextHead`. */
export interface Segment {
  readonly head: StepName
  readonly steps: readonly ErasedStep[]
  readonly nextHead: StepName | null
}

/** Two steps that never share a segment, and why: the later of the two must be behind a head of its own. */
export interface SeparateSteps {
  readonly earlier: StepName
  readonly later: StepName
  readonly because: string
}

const refuse = (message: string): never => {
  throw new AssayError('invalid_configuration', message)
}

/**
 * Cuts a chain before each head. Rejects with `invalid_configuration` when a head is no step of the chain, when the first step is
 * not a head (nothing would feed it), or when two steps that must be apart would share a segment.
 */
export const cutIntoSegments = (
  steps: readonly ErasedStep[],
  heads: readonly StepName[],
  apart: readonly SeparateSteps[],
): readonly Segment[] => {
  const names = steps.map(step => step.name)
  const unknown = heads.find(head => !names.includes(head))
  if (unknown !== undefined) refuse(`'${unknown}' cannot be a head: the steps are ${names.join(', ')}.`)
  const starts = names.flatMap((name, index) => (heads.includes(name) ? [index] : []))
  if (starts[0] !== 0) refuse(`The first step, '${names[0]}', must be a head: add it to the heads.`)

  const segments = starts.map((start, index): Segment => {
    const end = starts[index + 1] ?? steps.length
    return {
      head: names[start] ?? refuse('A pipeline needs at least one step.'),
      steps: steps.slice(start, end),
      nextHead: names[end] ?? null,
    }
  })
  for (const segment of segments) {
    const has = (name: StepName) => segment.steps.some(step => step.name === name)
    const broken = apart.find(rule => has(rule.earlier) && has(rule.later))
    if (broken !== undefined) {
      refuse(
        `'${broken.later}' must not share a segment with '${broken.earlier}', ${broken.because}. Make '${broken.later}' a head.`,
      )
    }
  }
  return segments
}
