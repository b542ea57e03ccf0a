import { softmax } from './fit.ts'

/** How much each of two voices counts: likelihoods are multiplied, each raised to its weight. */
export interface PoolWeights {
  readonly builtIn: number
  readonly learned: number
}

/** What two voices say of an example, as logarithms, and how likely each class is. */
export interface Heard {
  readonly builtIn: Float64Array
  readonly learned: Float64Array
  readonly target: readonly number[]
  readonly worth: number
}

/** No voice puts anything out of the question. */
const LEAST_LIKELY = 0.02

export const logarithms = (likely: Iterable<number>): Float64Array =>
  Float64Array.from(likely, each => Math.log(Math.max(LEAST_LIKELY, each)))

export const pooled = (weights: PoolWeights, builtIn: Float64Array, learned: Float64Array): Float64Array =>
  softmax(builtIn.map((score, at) => weights.builtIn * score + weights.learned * (learned[at] ?? 0)))

/** Before any example is heard, the built-in voice has all of the weight, and this many examples hold against that. */
const RELUCTANCE = 3
/** No built-in voice is raised above what it says; words that were shrunk much may be. */
const MOST = { builtIn: 1, learned: 3 } as const
const SWEEPS = 6
const NARROWINGS = 14

/** How unlikely what the examples are is, with these weights. Convex in both. */
const lossOf = (weights: PoolWeights, heard: readonly Heard[]): number => {
  let loss = (RELUCTANCE * ((weights.builtIn - 1) ** 2 + weights.learned ** 2)) / 2
  for (const { builtIn, learned, target, worth } of heard) {
    const likely = pooled(weights, builtIn, learned)
    for (const [of, each] of target.entries())
      if (each > 0) loss -= worth * each * Math.log(Math.max(Number.MIN_VALUE, likely[of] ?? 0))
  }
  return loss
}

/**
 * The weights that make what the examples are the likeliest, one after the other in turns (where voices are sure, the
 * curve is too flat for Newton's method). The learned voice must not have seen the examples.
 */
export const fitPool = (heard: readonly Heard[]): PoolWeights => {
  let weights: PoolWeights = { builtIn: 1, learned: 0 }
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (const voice of ['learned', 'builtIn'] as const) {
      const at = (value: number): PoolWeights => ({ ...weights, [voice]: value })
      weights = at(lowest(MOST[voice], value => lossOf(at(value), heard)))
    }
  }
  return weights
}

/** Where a convex function is lowest between zero and `most`. */
const lowest = (most: number, of: (value: number) => number): number => {
  let low = 0
  let high = most
  for (let count = 0; count < NARROWINGS; count += 1) {
    const third = (high - low) / 3
    if (of(low + third) <= of(high - third)) high -= third
    else low += third
  }
  const middle = (low + high) / 2
  return of(0) <= of(middle) ? 0 : middle
}
