import { EMBEDDING_DIMENSIONS } from '../../schemas/domain/vocabulary.ts'
import { CPU_BUDGET_MS, inTimeBoundParts } from '../runtime/cpu-budget.ts'
import { type AssayError, isAssayError } from '../runtime/errors.ts'
import { lengthOf, rotate, rotateBack, unitVector } from '../vectors.ts'
import { hashWord } from '../word-index/terms.ts'
import { encode } from './meaning/encoder.ts'
import { headingOf } from './meaning/heading.ts'
import { BUILT_IN_MODEL } from './meaning/name.ts'
import { normalForm } from './meaning/normal-form.ts'
import { MEANING_NUMBERS, readTable, type TextRows } from './meaning/table.ts'
import { filledVector } from './openai-embedder.ts'
import type { Embedder } from './port.ts'

/**
 * The vectors of texts: the meaning, filled up and rotated like a server's shorter vectors. A heading above a text
 * counts as much as the text, since a long text says much besides, and a short report says what the heading says. A
 * text in a script that the table lacks is compared by spelling. Rejects with `too_costly` for a text that exceeds its
 * CPU budget.
 */
export const embedTexts = async (texts: readonly string[]): Promise<readonly Float32Array[]> => {
  // Reads the table first, so that its reading does not count for a text.
  readTable()
  const read = await inTimeBoundParts(texts, CPU_BUDGET_MS, readText)
  const vectors: Float32Array[] = []
  for (let from = 0; from < read.length; from += TEXTS_A_TURN)
    for (const vector of await Promise.all(read.slice(from, from + TEXTS_A_TURN).map(vectorOf))) vectors.push(vector)
  return vectors
}

/**
 * Texts that are encoded in one turn of the event loop: the runtime waits for a turn before it encodes, and then keeps
 * the thread for about 1 ms a text. With one text a turn, a busy program embedded 130 texts a second.
 */
const TEXTS_A_TURN = 8

const vectorOf = async (read: ReadText | { readonly spelling: Float32Array } | AssayError): Promise<Float32Array> => {
  if (isAssayError(read)) throw read
  return 'spelling' in read ? read.spelling : meaningOf(read)
}

interface ReadText {
  readonly text: TextRows
  readonly heading: TextRows | null
}

const readText = (text: string): ReadText | { readonly spelling: Float32Array } => {
  const rows = readTable().rowsOf(text)
  if (rows === null) return { spelling: spellingOf(normalForm(text)) }
  const heading = headingOf(text)
  return { text: rows, heading: heading === null ? null : readTable().rowsOf(heading) }
}

const meaningOf = async ({ text, heading }: ReadText): Promise<Float32Array> => {
  const vector = filledVector(BUILT_IN_MODEL, await encode(text))
  if (heading === null) return vector
  const above = filledVector(BUILT_IN_MODEL, await encode(heading))
  return unitVector(
    BUILT_IN_MODEL,
    vector.map((value, at) => value + (above[at] ?? 0)),
  )
}

/** Tolerance for float32 rounding. */
const ROUNDED = 1e-4

/**
 * The meaning in a vector of this embedder, of length 1; null for a vector of spelling, which uses other positions or
 * few.
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

/** Each sequence of three characters adds 1 or -1 at a position of its own. */
const spellingOf = (text: string): Float32Array => {
  const vector = new Float64Array(EMBEDDING_DIMENSIONS)
  for (let from = 0; from === 0 || from + SPELLED <= text.length; from += 1) {
    const hash = hashWord(text.slice(from, from + SPELLED))
    const place = hash & (EMBEDDING_DIMENSIONS - 1)
    vector[place] = (vector[place] ?? 0) + (hash & 0x8000_0000 ? -1 : 1)
  }
  // Signs can cancel out; a vector of zeros has no direction, therefore it gets one.
  if (vector.every(value => value === 0)) vector[0] = 1
  rotate(vector)
  return unitVector(BUILT_IN_MODEL, vector)
}

/**
 * The embedder that needs no model server. It knows the meaning of sentences in the table's languages, and gives a text
 * the same vector on every machine. It reads the beginning of a long text.
 */
export const createBuiltInEmbedder = (): Embedder => ({
  model: BUILT_IN_MODEL,
  limitation:
    'The built-in embedder knows what sentences mean in 16 languages; some paraphrases do not find each other. A larger model behind EMBEDDINGS_URL finds more.',
  embed: embedTexts,
})
