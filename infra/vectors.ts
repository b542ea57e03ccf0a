import { endianness } from 'node:os'

/** Vectors in the forms that others take: bytes in the log's records, text or a batch for the database. */

const IS_LITTLE_ENDIAN = endianness() === 'LE'

/** Float32, little endian, whatever the machine's own order. */
export const toVectorBytes = (vector: Float32Array): Uint8Array => {
  const bytes = new Uint8Array(vector.length * 4)
  bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength))
  return IS_LITTLE_ENDIAN ? bytes : Buffer.from(bytes.buffer).swap32()
}

export const fromVectorBytes = (bytes: Uint8Array): Float32Array => {
  const own = new Uint8Array(bytes)
  if (!IS_LITTLE_ENDIAN) Buffer.from(own.buffer).swap32()
  return new Float32Array(own.buffer)
}

/** The cosine of two unit vectors, which is their dot product. */
export const cosine = (left: Float32Array, right: Float32Array): number => {
  let sum = 0
  for (let index = 0; index < left.length; index += 1) sum += (left[index] ?? 0) * (right[index] ?? 0)
  return sum
}

/** A vector in pgvector's text form (`[1,2,3]`), to bind to a `vector` parameter. */
export const toVector = (values: Float32Array | readonly number[]): string => `[${values.join(',')}]`

/** The numbers of a vector in pgvector's text form, which is how queries answer it. */
export const fromVector = (text: string): Float32Array => Float32Array.from(JSON.parse(text))

const FLOAT4_OID = 700
const HEADER_WORDS = 5
/** Each element is its length, 4, and its value. */
const ELEMENT_WORDS = 2

/**
 * Many vectors as one value of the type `real[]`, end to end, in PostgreSQL's binary form (`array_send`, `float4send`).
 * It is a fifth of the work of reading them from text. `vectorOf` takes them apart again.
 */
export const toVectorBatch = (vectors: readonly Float32Array[]): Buffer => {
  const count = vectors.reduce((sum, vector) => sum + vector.length, 0)
  const words = new Int32Array(HEADER_WORDS + count * ELEMENT_WORDS)
  const values = new Float32Array(words.buffer)
  words.set([1, 0, FLOAT4_OID, count, 1])
  let at = HEADER_WORDS
  for (const vector of vectors) {
    for (let index = 0; index < vector.length; index += 1) {
      words[at] = 4
      values[at + 1] = vector[index] ?? 0
      at += ELEMENT_WORDS
    }
  }
  const bytes = Buffer.from(words.buffer)
  return endianness() === 'LE' ? bytes.swap32() : bytes
}

/** SQL for the vector at a place, from 1, of such a value: `vectorOf('$4', 'ordinal')`. */
export const vectorOf = (batch: string, ordinal: string): string =>
  `(${batch}::real[])[(${ordinal}) * 1024 - 1023 : (${ordinal}) * 1024]::vector(1024)`
