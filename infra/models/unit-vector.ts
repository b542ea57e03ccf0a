import { EMBEDDING_DIMENSIONS } from '../../schemas/domain/vocabulary.ts'
import { AssayError } from '../runtime/errors.ts'

/** A server's model may have fewer dimensions than are stored: `filled-vector.ts`. With fewer than these an answer is taken for a mistake. */
export const LEAST_DIMENSIONS = 128

/**
 * What a model answered as the vector that Assay stores: 1024 numbers, of length 1.
 * A wrong number of dimensions is a property of the model, so it is `unavailable` until somebody configures another one; a value
 * that is no number, or all zeros, concerns the one text and is `internal`.
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
