import { EMBEDDING_DIMENSIONS } from '../../schemas/domain/vocabulary.ts'
import { CPU_BUDGET_MS } from '../runtime/cpu-budget.ts'
import { isAssayError } from '../runtime/errors.ts'
import { inTimeBoundParts } from '../runtime/in-parts.ts'
import type { Embedder } from './port.ts'
import { rotate } from './rotate.ts'
import { countFeatures } from './text-features.ts'
import { unitVector } from './unit-vector.ts'

const MODEL = 'built-in/hashed-ngrams-1'

/**
 * Adds each feature, with a sign of its own, to the dimension that its hash names (signed feature hashing, Weinberger et al. 2009),
 * so that features that collide cancel out on average. A feature that repeats counts by the logarithm.
 */
const embedText = (text: string): Float32Array => {
  const vector = new Float64Array(EMBEDDING_DIMENSIONS)
  for (const [hash, { count, weight }] of countFeatures(text)) {
    const dimension = hash & (EMBEDDING_DIMENSIONS - 1)
    const sign = hash & 0x8000_0000 ? -1 : 1
    vector[dimension] = (vector[dimension] ?? 0) + sign * weight * (1 + Math.log(count))
  }
  // Features can cancel out to nothing; a vector of zeros has no direction, so one is given.
  if (vector.every(value => value === 0)) vector[0] = 1
  rotate(vector)
  return unitVector(MODEL, vector)
}

/**
 * The embedder that needs no model server: it sees words and spelling, in any script, and gives a text the same vector everywhere.
 * Rejects with `too_costly` for texts of which one uses up its CPU budget.
 */
export const createBuiltInEmbedder = (cpuBudgetMs = CPU_BUDGET_MS): Embedder => ({
  model: MODEL,
  limitation:
    'The built-in embedder compares words and spelling, not meaning: paraphrases and translations do not find each other. Configure EMBEDDINGS_URL with a model of 1024 dimensions for that.',
  embed: async texts =>
    (await inTimeBoundParts(texts, cpuBudgetMs, embedText)).map(vector => {
      if (isAssayError(vector)) throw vector
      return vector
    }),
})
