import { endianness } from 'node:os'
import { EMBEDDING_DIMENSIONS } from '../schemas/domain/vocabulary.ts'
import { AssayError } from './runtime/errors.ts'

/**
 * Vectors and their forms: normalized model answers, bytes for log records, text or a batch for the database; their
 * cosine, and the rotation that spreads information over all signs.
 */

const IS_LITTLE_ENDIAN = endianness() === 'LE'

/** Float32, little endian on every machine. */
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

/** The cosine of two unit vectors: their dot product. */
export const cosine = (left: Float32Array, right: Float32Array): number => {
  let sum = 0
  for (let index = 0; index < left.length; index += 1) sum += (left[index] ?? 0) * (right[index] ?? 0)
  return sum
}

/** The Euclidean length. */
export const lengthOf = (vector: ArrayLike<number>): number => {
  let squares = 0
  for (let index = 0; index < vector.length; index += 1) squares += (vector[index] ?? 0) ** 2
  return Math.sqrt(squares)
}

/** pgvector's text form (`[1,2,3]`), for a `vector` parameter. */
export const toVector = (values: Float32Array | Float64Array | readonly number[]): string => `[${values.join(',')}]`

/** Parses pgvector's text form, which queries return. */
export const fromVector = (text: string): Float32Array => Float32Array.from(JSON.parse(text))

const FLOAT4_OID = 700
const HEADER_WORDS = 5
/** An element has its length, 4, and its value. */
const ELEMENT_WORDS = 2

/**
 * Many vectors as one value of type `real[]`, end to end, in PostgreSQL's binary form (`array_send`, `float4send`).
 * Parsing takes a fifth of the time of text. `vectorOf` splits the value again.
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
  return IS_LITTLE_ENDIAN ? bytes.swap32() : bytes
}

/** SQL for one vector of such a value, by its position from 1: `vectorOf('$4', 'ordinal')`. */
export const vectorOf = (batch: string, ordinal: string): string =>
  `(${batch}::real[])[(${ordinal}) * 1024 - 1023 : (${ordinal}) * 1024]::vector(1024)`

/**
 * Models may have fewer dimensions than stored vectors (`filledVector`). An answer with fewer than these counts as an
 * error.
 */
export const LEAST_DIMENSIONS = 128

/**
 * A model's vector as stored: 1024 numbers, normalized. A wrong number of dimensions is the model's fault and
 * `unavailable` until another model is configured; an invalid number or a vector of zeros is the text's fault and
 * `internal`.
 */
export const unitVector = (model: string, values: ArrayLike<number>): Float32Array => {
  if (values.length !== EMBEDDING_DIMENSIONS) {
    throw new AssayError(
      'unavailable',
      `The embedding model ${model} answered a vector of ${values.length} dimensions. Configure a model with ${LEAST_DIMENSIONS} to ${EMBEDDING_DIMENSIONS} dimensions.`,
    )
  }
  const vector = new Float32Array(values)
  let squares = 0
  for (let index = 0; index < vector.length; index += 1) {
    const value = vector[index] ?? 0
    if (!Number.isFinite(value)) {
      throw new AssayError(
        'internal',
        `The embedding model ${model} answered ${values[index]} at position ${index} of a vector.`,
      )
    }
    squares += value * value
  }
  if (squares === 0) throw new AssayError('internal', `The embedding model ${model} answered a vector of zeros.`)
  const length = Math.sqrt(squares)
  for (let index = 0; index < vector.length; index += 1) vector[index] = (vector[index] ?? 0) / length
  return vector
}

/**
 * Rotates a vector of 2^n numbers by a fixed pseudo-random rotation (signs, then the Walsh-Hadamard transform), in
 * place and up to a factor. Cosines stay the same, but each dimension now depends on all: the number of differing sign
 * bits then follows the angle, which the quantized first pass of a neighbour search uses. The sign bits of a sparse
 * vector would say little.
 */
export const rotate = (vector: Float64Array): void => {
  flip(vector)
  spread(vector)
}

/** Undoes `rotate`, in place and up to the same factor. */
export const rotateBack = (vector: Float64Array): void => {
  spread(vector)
  flip(vector)
}

const flip = (vector: Float64Array): void => {
  for (let index = 0; index < vector.length; index += 1) {
    if (FLIPPED[index] === 1) vector[index] = -(vector[index] ?? 0)
  }
}

/** The Walsh-Hadamard transform, its own inverse up to a factor. */
const spread = (vector: Float64Array): void => {
  for (let half = 1; half < vector.length; half *= 2) {
    for (let start = 0; start < vector.length; start += 2 * half) {
      for (let index = start; index < start + half; index += 1) {
        const left = vector[index] ?? 0
        const right = vector[index + half] ?? 0
        vector[index] = left + right
        vector[index + half] = left - right
      }
    }
  }
}

/** 1 for half of the dimensions, by murmur3's finalizer of their index. */
const FLIPPED = Uint8Array.from({ length: EMBEDDING_DIMENSIONS }, (_, index) => {
  let hash = Math.imul(index + 1, 0x9e3779b1)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) & 1
})
