import { EMBEDDING_DIMENSIONS } from '../../schemas/domain/vocabulary.ts'
import { CPU_BUDGET_MS, inTimeBoundParts, LONG_CHARACTERS } from '../runtime/cpu-budget.ts'
import { isAssayError } from '../runtime/errors.ts'
import { rotate, unitVector } from '../vectors.ts'
import type { Embedder } from './port.ts'

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

/** FNV-1a over UTF-16 units, from where a hash of what is before stands. */
const hashOn = (before: number, text: string, from = 0, to = text.length): number => {
  let hash = before
  for (let index = from; index < to; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash
}

/** Mixes the bits by murmur3's finalizer: the low ones of FNV alone are poor. */
const mixed = (fnv: number): number => {
  let hash = Math.imul(fnv ^ (fnv >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

const beginning = (seed: number): number => (0x811c9dc5 ^ seed) >>> 0
const WORD_HASH = beginning(1)
const PAIR_HASH = beginning(2)
const NGRAM_HASH = beginning(3)

/** Compatible forms make some characters eighteen times as long: no text that people write is cut here. */
const MAX_FOLDED = 150_000

/** Room for the features of a text of some 2,000 characters; one with more has its own. */
const KEPT_FEATURES = 8_192

/**
 * The features of a text by their hash, in the order in which they first occur: how often each does, and how much it
 * says. A text has hundreds, so their room is kept from text to text. What a watchdog ended in the middle leaves
 * nothing behind: a place counts for the text alone that it was stamped for.
 */
const createFeatures = (most: number) => {
  const places = 2 ** Math.ceil(Math.log2(most * 2))
  const stamps = new Uint32Array(places)
  const featureAt = new Uint32Array(places)
  const hashes = new Uint32Array(most)
  const counts = new Uint32Array(most)
  const weights = new Float64Array(most)
  let stamp = 0
  let size = 0
  return {
    hashes,
    counts,
    weights,
    size: () => size,
    clear: (): void => {
      size = 0
      stamp = (stamp + 1) >>> 0
      if (stamp > 0) return
      stamps.fill(0)
      stamp = 1
    },
    add: (hash: number, weight: number): void => {
      let place = hash & (places - 1)
      while (stamps[place] === stamp) {
        const feature = featureAt[place] ?? 0
        if (hashes[feature] === hash) {
          counts[feature] = (counts[feature] ?? 0) + 1
          return
        }
        place = (place + 1) & (places - 1)
      }
      hashes[size] = hash
      counts[size] = 1
      weights[size] = weight
      featureAt[place] = size
      stamps[place] = stamp
      size += 1
    },
  }
}
type Features = ReturnType<typeof createFeatures>

const keptFeatures = createFeatures(KEPT_FEATURES)

/** A word and a pair for each, and two n-grams for each of its characters. */
const mostFeaturesOf = (folded: string): number => 4 * folded.length + 1

/** Words, neighbouring pairs of words, and the character 3- and 4-grams inside words. */
const featuresOf = (text: string): Features => {
  const folded = text.normalize('NFKD').slice(0, MAX_FOLDED).replace(LATIN_MARKS, '').toLowerCase()
  const most = mostFeaturesOf(folded)
  const features = most > KEPT_FEATURES ? createFeatures(most) : keptFeatures
  features.clear()
  let previous: string | null = null
  const mayBeUnspaced = UNSPACED.test(folded)
  for (const word of folded.match(WORD) ?? []) {
    if (mayBeUnspaced && UNSPACED.test(word)) {
      for (let index = 0; index < word.length; index += 1) {
        features.add(mixed(hashOn(NGRAM_HASH, word, index, Math.min(index + 2, word.length))), WORD_WEIGHT)
      }
    } else {
      features.add(mixed(hashOn(WORD_HASH, word)), word.length <= 3 ? SHORT_WORD_WEIGHT : WORD_WEIGHT)
      if (word.length > 3) {
        const bounded = `^${word}$`
        for (let index = 0; index + 3 <= bounded.length; index += 1) {
          const three = hashOn(NGRAM_HASH, bounded, index, index + 3)
          features.add(mixed(three), NGRAM_WEIGHT)
          if (index + 4 <= bounded.length)
            features.add(mixed(hashOn(three, bounded, index + 3, index + 4)), NGRAM_WEIGHT)
        }
      }
    }
    if (previous !== null) features.add(mixed(hashOn(hashOn(hashOn(PAIR_HASH, previous), ' '), word)), PAIR_WEIGHT)
    previous = word
  }
  // A text of signs alone, such as an emoji, is its own only feature.
  if (features.size() === 0) features.add(mixed(hashOn(WORD_HASH, folded.trim())), WORD_WEIGHT)
  return features
}

export const BUILT_IN_MODEL = 'built-in/hashed-ngrams-1'

/**
 * Adds each feature, with a sign of its own, to the dimension that its hash names (signed feature hashing, Weinberger
 * et al. 2009), so that features that collide cancel out on average. A feature that repeats counts by the logarithm.
 */
const embedText = (text: string): Float32Array => {
  const vector = new Float64Array(EMBEDDING_DIMENSIONS)
  const { hashes, counts, weights, size } = featuresOf(text)
  for (let feature = 0; feature < size(); feature += 1) {
    const hash = hashes[feature] ?? 0
    const dimension = hash & (EMBEDDING_DIMENSIONS - 1)
    const sign = hash & 0x8000_0000 ? -1 : 1
    const worth = (weights[feature] ?? 0) * (1 + Math.log(counts[feature] ?? 1))
    vector[dimension] = (vector[dimension] ?? 0) + sign * worth
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
