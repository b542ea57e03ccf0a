import { EMBEDDING_DIMENSIONS } from '../../schemas/domain/vocabulary.ts'
import { CPU_BUDGET_MS, inTimeBoundParts } from '../runtime/cpu-budget.ts'
import { isAssayError } from '../runtime/errors.ts'
import { rotate, rotateBack, unitVector } from '../vectors.ts'
import { hashWord } from '../word-index/terms.ts'
import { lengthOf } from './meaning/layers.ts'
import { BUILT_IN_MODEL } from './meaning/name.ts'
import { normalForm } from './meaning/normal-form.ts'
import { MEANING_NUMBERS, readTable } from './meaning/table.ts'
import { filledVector } from './openai-embedder.ts'
import type { Embedder } from './port.ts'

/**
 * What a text's pieces mean together, filled up and turned as a server's shorter vectors are. One of a script that the
 * table does not know is compared by its spelling.
 */
export const embedText = (text: string): Float32Array => {
  const meaning = readTable().meaningOf(text)
  return meaning === null ? spellingOf(normalForm(text)) : filledVector(BUILT_IN_MODEL, meaning)
}

/** As much of a vector may be beyond the numbers that a meaning has: float32 rounds. */
const ROUNDED = 1e-4

/**
 * What a vector of this embedder says of a meaning, of length 1; null where it says how a text is spelled: that has
 * other places, or few.
 */
export const meaningIn = (vector: Float32Array): Float64Array | null => {
  const turned = Float64Array.from(vector)
  rotateBack(turned)
  const meaning = turned.subarray(0, MEANING_NUMBERS)
  const [whole, length] = [lengthOf(turned), lengthOf(meaning)]
  if (length * length < whole * whole * (1 - ROUNDED)) return null
  let places = 0
  for (let at = 0; at < meaning.length; at += 1) {
    const value = (meaning[at] ?? 0) / length
    meaning[at] = value
    if (Math.abs(value) > ROUNDED) places += 1
  }
  return places < MEANING_NUMBERS / 2 ? null : meaning
}

const SPELLED = 3

/** Each three characters count at a place of their own, with a sign of their own. */
const spellingOf = (text: string): Float32Array => {
  const vector = new Float64Array(EMBEDDING_DIMENSIONS)
  for (let from = 0; from === 0 || from + SPELLED <= text.length; from += 1) {
    const hash = hashWord(text.slice(from, from + SPELLED))
    const place = hash & (EMBEDDING_DIMENSIONS - 1)
    vector[place] = (vector[place] ?? 0) + (hash & 0x8000_0000 ? -1 : 1)
  }
  // Signs can cancel out to nothing; a vector of zeros has no direction, so one is given.
  if (vector.every(value => value === 0)) vector[0] = 1
  rotate(vector)
  return unitVector(BUILT_IN_MODEL, vector)
}

/**
 * The embedder that needs no model server: it knows what words of the table's languages mean, and gives a text the same
 * vector everywhere. It reads the beginning of a long text.
 */
export const createBuiltInEmbedder = (): Embedder => ({
  model: BUILT_IN_MODEL,
  limitation:
    'The built-in embedder knows what words mean in 16 languages, not how a sentence puts them together: some paraphrases and translations do not find each other. A larger model behind EMBEDDINGS_URL finds more.',
  embed: async texts => {
    // The table is read once, which no text is to be charged for.
    readTable()
    return (await inTimeBoundParts(texts, CPU_BUDGET_MS, embedText)).map(vector => {
      if (isAssayError(vector)) throw vector
      return vector
    })
  },
})
