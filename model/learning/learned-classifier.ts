import { CLASSIFICATIONS, type Classification } from '../../schemas/domain/vocabulary.ts'
import { beside, CLASSES, scoresOf } from './fit.ts'
import { softmax } from './offsets.ts'
import { type Terms, type Vocabulary, weigh } from './terms.ts'

/** What a workspace has taught: what its terms say of each class, and how much that counts. */
export interface LearnedClassifier {
  readonly vocabulary: Vocabulary
  readonly weights: Float32Array
  /** How much the terms count beside the built-in classifier; 0 where it speaks alone. */
  readonly weight: number
}

/** No voice puts anything out of the question. */
const LEAST_LIKELY = 0.02

export const logarithms = (likely: Iterable<number>): Float64Array =>
  Float64Array.from(likely, each => Math.log(Math.max(LEAST_LIKELY, each)))

/** The classes that there are weights of. */
const spokenOf = (weights: Float32Array): readonly number[] =>
  CLASSIFICATIONS.flatMap((_, of) => {
    for (let at = of; at < weights.length; at += CLASSES) if (weights[at] !== 0) return [of]
    return []
  })

const SPOKEN = new WeakMap<Float32Array, readonly number[]>()

/**
 * How likely each class is, by both voices. What the built-in classifier says of the classes that lessons spoke of is
 * shared among these: lessons say nothing of the others.
 */
export const likelyBeside = (
  builtIn: readonly number[],
  learned: Float64Array,
  weight: number,
  spoken: readonly number[],
): readonly number[] => {
  const scores = beside({ builtIn: logarithms(builtIn) }, learned, weight)
  const shares = softmax(Float64Array.from(spoken, of => scores[of] ?? 0))
  const all = spoken.reduce((sum, of) => sum + (builtIn[of] ?? 0), 0)
  const likely = [...builtIn]
  for (const [at, of] of spoken.entries()) likely[of] = all * (shares[at] ?? 0)
  return likely
}

/** A label less likely than that is not given, as by the built-in classifier alone. */
const LEAST_CONFIDENCE = 0.35

/**
 * The likeliest label, or `unclassified` where that is likeliest or no other is likely enough; how likely it is right.
 */
export const decideBeside = (
  { vocabulary, weights, weight }: LearnedClassifier,
  terms: Terms,
  builtIn: readonly number[],
): { readonly label: Classification; readonly confidence: number } => {
  const spoken = SPOKEN.get(weights) ?? spokenOf(weights)
  SPOKEN.set(weights, spoken)
  const likely = likelyBeside(builtIn, scoresOf(weights, weigh(vocabulary, terms)), weight, spoken)
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
