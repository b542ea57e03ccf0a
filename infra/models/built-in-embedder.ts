import { EMBEDDING_DIMENSIONS } from '../../schemas/domain/vocabulary.ts'
import { CPU_BUDGET_MS, inTimeBoundParts, LONG_CHARACTERS } from '../runtime/cpu-budget.ts'
import { isAssayError } from '../runtime/errors.ts'
import { rotate, unitVector } from '../vectors.ts'
import type { Embedder } from './port.ts'

/** How often a feature occurs in a text, and how much it says about it. */
interface Feature {
  count: number
  readonly weight: number
}

const WORD = /[\p{L}\p{N}\p{M}]+/gu
const LATIN_MARKS = /[\u0300-\u036f]/g
/** Scripts that write words without spaces between them. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const WORD_WEIGHT = 1
/** Short words are mostly those that every text has, in any language written with spaces. */
const SHORT_WORD_WEIGHT = 0.3
const PAIR_WEIGHT = 0.5
const NGRAM_WEIGHT = 0.35

/** FNV-1a over UTF-16 units, its bits then mixed by murmur3's finalizer: the low bits of FNV alone are poor. */
const hashText = (text: string, seed: number, from = 0, to = text.length): number => {
  let hash = (0x811c9dc5 ^ seed) >>> 0
  for (let index = from; index < to; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

const WORD_SEED = 1
const PAIR_SEED = 2
const NGRAM_SEED = 3

/** Compatible forms make some characters eighteen times as long: no text that people write is cut here. */
const MAX_FOLDED = 150_000

/**
 * The features of a text by their hash: words, neighbouring pairs of words, and the character 3- and 4-grams inside
 * words.
 */
const countFeatures = (text: string): ReadonlyMap<number, Feature> => {
  const features = new Map<number, Feature>()
  const add = (hash: number, weight: number) => {
    const known = features.get(hash)
    if (known === undefined) features.set(hash, { count: 1, weight })
    else known.count += 1
  }
  const folded = text.normalize('NFKD').slice(0, MAX_FOLDED).replace(LATIN_MARKS, '').toLowerCase()
  let previous: string | null = null
  for (const word of folded.match(WORD) ?? []) {
    if (UNSPACED.test(word)) {
      for (let index = 0; index < word.length; index += 1) {
        add(hashText(word, NGRAM_SEED, index, Math.min(index + 2, word.length)), WORD_WEIGHT)
      }
    } else {
      add(hashText(word, WORD_SEED), word.length <= 3 ? SHORT_WORD_WEIGHT : WORD_WEIGHT)
      if (word.length > 3) {
        const bounded = `^${word}$`
        for (let index = 0; index + 3 <= bounded.length; index += 1) {
          add(hashText(bounded, NGRAM_SEED, index, index + 3), NGRAM_WEIGHT)
          if (index + 4 <= bounded.length) add(hashText(bounded, NGRAM_SEED, index, index + 4), NGRAM_WEIGHT)
        }
      }
    }
    if (previous !== null) add(hashText(`${previous} ${word}`, PAIR_SEED), PAIR_WEIGHT)
    previous = word
  }
  // A text of signs alone, such as an emoji, is its own only feature.
  if (features.size === 0) add(hashText(folded.trim(), WORD_SEED), WORD_WEIGHT)
  return features
}

export const BUILT_IN_MODEL = 'built-in/hashed-ngrams-1'

/**
 * Adds each feature, with a sign of its own, to the dimension that its hash names (signed feature hashing, Weinberger
 * et al. 2009), so that features that collide cancel out on average. A feature that repeats counts by the logarithm.
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
  return unitVector(BUILT_IN_MODEL, vector)
}

/** Does the same for a long text on another thread. */
export type EmbedApart = (text: string) => Promise<Float32Array>

/**
 * The embedder that needs no model server: it sees words and spelling, in any script, and gives a text the same vector
 * everywhere. Rejects with `too_costly` for texts of which one uses up its CPU budget.
 */
export const createBuiltInEmbedder = (cpuBudgetMs = CPU_BUDGET_MS, embedApart: EmbedApart | null = null): Embedder => ({
  model: BUILT_IN_MODEL,
  limitation:
    'The built-in embedder compares words and spelling, not meaning: paraphrases and translations do not find each other. Configure EMBEDDINGS_URL with a model for that.',
  embed: async texts => {
    const isHere = (text: string) => embedApart === null || text.length < LONG_CHARACTERS
    const here = (await inTimeBoundParts(texts.filter(isHere), cpuBudgetMs, embedText)).values()
    const vectors: Float32Array[] = []
    for (const text of texts) {
      const vector = embedApart === null || isHere(text) ? here.next().value : await embedApart(text)
      if (vector === undefined || isAssayError(vector)) throw vector ?? new TypeError('A text was left out.')
      vectors.push(vector)
    }
    return vectors
  },
})
