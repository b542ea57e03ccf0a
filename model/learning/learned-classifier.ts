import { CLASSIFICATIONS, type Classification } from '../../schemas/domain/vocabulary.ts'
import type { Labelled } from '../signals/leaning.ts'
import { beside, CLASSES, scoresOf } from './fit.ts'
import { softmax } from './offsets.ts'
import { type Terms, type Vocabulary, weigh } from './terms.ts'

/** A workspace's classifier: its terms' scores for each class, and their weight. */
export interface LearnedClassifier {
  readonly vocabulary: Vocabulary
  readonly weights: Float32Array
  /** Weight of the terms beside the built-in classifier; 0 leaves the built-in classifier alone. */
  readonly weight: number
}

/** Least likelihood, so that neither classifier excludes a class. */
const LEAST_LIKELY = 0.02

export const logarithms = (likely: Iterable<number>): Float64Array =>
  Float64Array.from(likely, each => Math.log(Math.max(LEAST_LIKELY, each)))

/** Classes that have weights. */
const spokenOf = (weights: Float32Array): readonly number[] =>
  CLASSIFICATIONS.flatMap((_, of) => {
    for (let at = of; at < weights.length; at += CLASSES) if (weights[at] !== 0) return [of]
    return []
  })

const SPOKEN = new WeakMap<Float32Array, readonly number[]>()

/**
 * Likelihood of each class by both classifiers. The built-in classifier's share of the classes with lessons is divided
 * among these classes; lessons say nothing about the others.
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

/** Least confidence of a label, as in the built-in classifier. */
const LEAST_CONFIDENCE = 0.35

/**
 * The likeliest label with its confidence; `unclassified` when it is the likeliest or no other label is likely enough.
 */
export const decideBeside = (
  { vocabulary, weights, weight }: LearnedClassifier,
  terms: Terms,
  builtIn: readonly number[],
): Labelled => {
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
  if (confidence >= LEAST_CONFIDENCE && confidence > unclassified) return { label, confidence, likely }
  return { label: 'unclassified', confidence: 1 - confidence, likely }
}
