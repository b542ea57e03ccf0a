import { AssayError } from '../../infra/runtime/errors.ts'
import type { StepName } from '../../schemas/domain/vocabulary.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import { signalsTopic } from '../../schemas/events/topics.ts'
import type { StepDefinition } from './step.ts'

/** A step without its field types: `chain` has checked them at compile time. */
export type ErasedStep = StepDefinition<never, Partial<SignalRecord>>

type Flat<T> = { readonly [Field in keyof T]: T[Field] }

/**
 * Steps in their order. `Has` are the fields of a signal at this point: a step that needs other fields does not
 * compile, and the steps behind it see what it adds.
 */
interface Chain<Has> {
  readonly steps: readonly ErasedStep[]
  step<Adds extends Partial<SignalRecord>>(
    definition: StepDefinition<Has, Adds>,
  ): Chain<Flat<Omit<Has, keyof Adds> & Adds>>
}

const chainOf = <Has>(steps: readonly ErasedStep[]): Chain<Has> => ({
  steps,
  step: definition => {
    const repeated = steps.find(earlier => earlier.name === definition.name)
    if (repeated !== undefined) throw new TypeError(`The step '${repeated.name}' is in the chain already.`)
    return chainOf([...steps, definition])
  },
})

/**
 * An empty chain over signals with the fields `Has`.
 *
 * @example
 * chain<WithParts<'received'>>().step(createValidate()).step(createNormalize())
 */
export const chain = <Has>(): Chain<Has> => chainOf<Has>([])

/** Position of each step in a chain, from 1. */
const stepOrdinals = (steps: readonly ErasedStep[]): ReadonlyMap<StepName, number> =>
  new Map(steps.map((step, index) => [step.name, index + 1]))

/** Steps that hand batches to each other in memory. The head has a topic; the next segment begins at `nextHead`. */
export interface Segment {
  readonly head: StepName
  readonly steps: readonly ErasedStep[]
  readonly nextHead: StepName | null
}

/** Two steps that must not share a segment, and the reason. */
interface SeparateSteps {
  readonly earlier: StepName
  readonly later: StepName
  readonly because: string
}

const refuse = (message: string): never => {
  throw new AssayError('invalid_configuration', message)
}

/**
 * Cuts a chain before each head. Rejects with `invalid_configuration` when a head is no step of the chain, when the
 * first step is not a head (nothing would feed it), or when two separate steps would share a segment.
 */
export const cutIntoSegments = (
  steps: readonly ErasedStep[],
  heads: readonly StepName[],
  apart: readonly SeparateSteps[],
): readonly Segment[] => {
  const names = steps.map(step => step.name)
  const unknown = heads.find(head => !names.includes(head))
  if (unknown !== undefined) refuse(`PIPELINE_HEADS: '${unknown}' cannot be a head: the steps are ${names.join(', ')}.`)
  const starts = names.flatMap((name, index) => (heads.includes(name) ? [index] : []))
  if (starts[0] !== 0) refuse(`The first step, '${names[0]}', must be a head: add it to PIPELINE_HEADS.`)

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
        `'${broken.later}' must not share a segment with '${broken.earlier}', ${broken.because}. Add '${broken.later}' to PIPELINE_HEADS.`,
      )
    }
  }
  return segments
}

/** How a head's records are partitioned: by signal, or by workspace so that duplicates meet in one partition. */
export type Partitioning = 'signal' | 'workspace'

/** Rules about the steps that the framework cannot see in their definitions. */
export interface PipelineRules {
  /** The step that removes personal data. Records of heads up to this step may hold personal data. */
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
  /** True when a record that waits at this head may hold personal data. */
  isPersonal(head: StepName): boolean
  spreadOf(head: StepName): Partitioning
}

/** Rejects with `invalid_configuration` as `cutIntoSegments` does. */
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

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** The pipeline reference in Markdown: the steps in order with their guarantees, then the segments. */
export const describePipeline = (pipeline: Pipeline): string => {
  const { steps, segments } = pipeline
  const stepRows = steps.map(
    (step, index) => `| ${index + 1} | \`${step.name}\` | ${cell(step.summary)} | ${cell(step.guarantee)} |`,
  )
  const segmentRows = segments.map(({ head, steps: inside }) => {
    const names = inside.map(step => `\`${step.name}\``).join(', ')
    const key = pipeline.spreadOf(head) === 'signal' ? 'signal id' : 'workspace id'
    const personal = pipeline.isPersonal(head) ? 'yes' : 'no'
    return `| \`${signalsTopic(head)}\`, \`${signalsTopic(head, 'bulk')}\` | ${names} | ${key} | ${personal} |`
  })
  return [
    '## Steps',
    '',
    '| # | step | what it does | delivered again |',
    '|---|---|---|---|',
    ...stepRows,
    '',
    '## Segments',
    '',
    '| topics | steps | key | may hold personal data |',
    '|---|---|---|---|',
    ...segmentRows,
    '',
  ].join('\n')
}
