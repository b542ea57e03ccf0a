import { EMBEDDING_DIMENSIONS } from '../../schemas/domain/vocabulary.ts'
import { knownModel } from './known/known-models.ts'
import { rotate } from './rotate.ts'
import { LEAST_DIMENSIONS, unitVector } from './unit-vector.ts'

/**
 * What a server answered as the vector that Assay stores. One of fewer dimensions is filled up with zeros, and rotated, so that each of its sign bits
 * says something: cosines stay as they are. Of a model whose vectors all point in nearly the same direction, that direction is taken off before.
 */
export const filledVector = (model: string, values: readonly number[]): Float32Array => {
  if (values.length < LEAST_DIMENSIONS || values.length >= EMBEDDING_DIMENSIONS) return unitVector(model, values)
  const filled = new Float64Array(EMBEDDING_DIMENSIONS)
  filled.set(values)
  const unit = unitVector(model, filled)
  filled.set(unit)
  const mean = knownModel(model)?.mean ?? []
  if (mean.length === values.length) for (const [at, shared] of mean.entries()) filled[at] = (filled[at] ?? 0) - shared
  rotate(filled)
  return unitVector(model, filled)
}
