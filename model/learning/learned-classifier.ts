import { CLASSIFICATIONS, type Classification } from '../../schemas/domain/vocabulary.ts'
import { scoresOf, softmax } from './fit.ts'
import { type Terms, type Vocabulary, weigh } from './terms.ts'

/**
 * What a workspace has taught: what its terms say of each class, and how much that counts beside the built-in
 * classifier.
 */
export interface LearnedClassifier {
  readonly vocabulary: Vocabulary
  readonly weights: Float32Array
  readonly bias: Float32Array
  readonly pool: PoolWeights
}

/** How likely each of CLASSIFICATIONS is, by the workspace's terms and by what the built-in classifier says. */
const likelyBeside = (learned: LearnedClassifier, terms: Terms, builtIn: readonly number[]): readonly number[] => {
  const own = scoresOf(learned, weigh(learned.vocabulary, terms))
  return [...pooled(learned.pool, logarithms(builtIn), own)]
}

/** A label less likely than that is not given: people see to what is left so. */
const LEAST_CONFIDENCE = 0.4

/**
 * The likeliest label, or `unclassified` where that is likeliest or no other is likely enough; how likely it is right.
 */
export const decideBeside = (
  learned: LearnedClassifier,
  terms: Terms,
  builtIn: readonly number[],
): { readonly label: Classification; readonly confidence: number } => {
  const likely = likelyBeside(learned, terms, builtIn)
  let label: Classification = 'unclassified'
  let confidence = 0
  for (const [at, classification] of CLASSIFICATIONS.entries()) {
    const each = likely[at] ?? 0
    if (classification === 'unclassified' || each <= confidence) continue
    label = classification
    confidence = each
  }
  const unclassified = likely[CLASSIFICATIONS.indexOf('unclassified')] ?? 0
  if (confidence >= LEAST_CONFIDENCE && confidence > unclassified) return { label, confidence }
  return { label: 'unclassified', confidence: 1 - confidence }
}

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
