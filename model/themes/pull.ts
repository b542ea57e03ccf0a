import { lengthOf } from '../../infra/vectors.ts'
import type { Steps } from './steps.ts'

/** Weight of the refused signals' mean beside that of the confirmed ones. */
const REFUSED_COUNT = 0.25

/** The pull of a theme on signals that come after the computation. */
export interface Pull {
  /** A signal's product with this direction, without the common mean, is its likeness in steps. */
  readonly direction: Float64Array
  /** Subtracted from the likeness. */
  readonly offset: number
  /** Least likeness of a signal that the theme takes. */
  readonly least: number
}

/** A direction whose likeness is in steps. */
export const inSteps = (direction: Float64Array, { middle, spread }: Steps, least: number): Pull => ({
  direction: direction.map(value => value / spread),
  offset: middle / spread,
  least,
})

/**
 * Direction from the refused to the confirmed signals of a theme, of length 1. Each signal is a direction without the
 * common mean.
 */
export const pullOf = (confirmed: Iterable<Float64Array>, refused: Iterable<Float64Array>): Float64Array => {
  const [towards, away] = [meanOf(confirmed), meanOf(refused)]
  return ofLengthOne(towards.map((value, place) => value - REFUSED_COUNT * (away[place] ?? 0)))
}

/** Mean of directions; empty without any. */
export const meanOf = (directions: Iterable<Float64Array>): Float64Array => {
  let sum = new Float64Array(0)
  let count = 0
  for (const direction of directions) {
    if (count === 0) sum = new Float64Array(direction.length)
    for (let place = 0; place < direction.length; place += 1) sum[place] = (sum[place] ?? 0) + (direction[place] ?? 0)
    count += 1
  }
  return sum.map(value => value / count)
}

/** A vector without the common mean, of length 1. */
export const directionOf = (vector: Float32Array, mean: readonly number[]): Float64Array =>
  ofLengthOne(Float64Array.from(vector, (value, place) => value - (mean[place] ?? 0)))

const ofLengthOne = (vector: Float64Array): Float64Array => {
  const length = lengthOf(vector) || 1
  return vector.map(value => value / length)
}
