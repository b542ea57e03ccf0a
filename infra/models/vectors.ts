import { EMBEDDING_DIMENSIONS } from '../../schemas/domain/vocabulary.ts'
import { AssayError } from '../runtime/errors.ts'

/**
 * A server's model may have fewer dimensions than are stored (`filledVector`). With fewer than these an answer is taken
 * for a mistake.
 */
export const LEAST_DIMENSIONS = 128

/**
 * What a model answered as the vector that Assay stores: 1024 numbers, of length 1. A wrong number of dimensions is a
 * property of the model, so it is `unavailable` until somebody configures another one; a value that is no number, or
 * all zeros, concerns the one text and is `internal`.
 */
export const unitVector = (model: string, values: ArrayLike<number>): Float32Array => {
  if (values.length !== EMBEDDING_DIMENSIONS) {
    throw new AssayError(
      'unavailable',
      `The embedding model ${model} answered a vector of ${values.length} dimensions. Configure a model with ${LEAST_DIMENSIONS} to ${EMBEDDING_DIMENSIONS} dimensions.`,
    )
  }
  const vector = Float32Array.from(values)
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
 * Turns a vector of 2^n numbers by a fixed random-looking rotation (signs, then the Walsh-Hadamard transform), in place
 * and up to a factor. Cosines stay as they are, but every dimension now says a little about everything: the sign bits
 * of two vectors differ by their angle, which is what the quantized first look of a neighbour search ranks by. A sparse
 * vector's own bits would say next to nothing.
 */
export const rotate = (vector: Float64Array): void => {
  for (let index = 0; index < vector.length; index += 1) {
    if (isFlipped(index)) vector[index] = -(vector[index] ?? 0)
  }
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

/** Half of all dimensions, by murmur3's finalizer over their position. */
const isFlipped = (index: number): boolean => {
  let hash = Math.imul(index + 1, 0x9e3779b1)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) & 1) === 1
}
