import type { StepName } from '../../schemas/domain/vocabulary.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import type { StepDefinition } from './step.ts'

/** A step as the runtime holds it, its own fields forgotten: the chain has checked at compile time that they are there. */
export type ErasedStep = StepDefinition<never, Partial<SignalRecord>>

type Flat<T> = { readonly [Field in keyof T]: T[Field] }

/**
 * Steps one after another. `Has` is what is known of a signal at this point: a step whose `Needs` are not all there
 * does not compile, and what it adds is there for the steps behind it.
 */
export interface Chain<Has> {
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

/** An empty chain over signals of which `Has` is known, such as `chain<With<'received'>>()`. */
export const chain = <Has>(): Chain<Has> => chainOf<Has>([])

/** The place of each step in a chain, from 1. */
export const stepOrdinals = (steps: readonly ErasedStep[]): ReadonlyMap<StepName, number> =>
  new Map(steps.map((step, index) => [step.name, index + 1]))
