import { CLASSIFICATIONS, type Classification } from '../../schemas/domain/vocabulary.ts'
import { scoresOf } from './fit.ts'
import { logarithms, type PoolWeights, pooled } from './pool.ts'
import type { Terms } from './terms.ts'
import { type Vocabulary, weigh } from './vocabulary.ts'

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
