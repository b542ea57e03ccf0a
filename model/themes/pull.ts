/** What the mean of refused signals counts against that of confirmed ones. */
const REFUSED_COUNT = 0.25

/**
 * Where the confirmed signals of a theme point together, away from the refused ones; of length 1. Each is a direction
 * without what all signals have in common.
 */
export const pullOf = (confirmed: Iterable<Float64Array>, refused: Iterable<Float64Array>): Float64Array => {
  const [towards, away] = [meanOf(confirmed), meanOf(refused)]
  return ofLengthOne(towards.map((value, place) => value - REFUSED_COUNT * (away[place] ?? 0)))
}

const meanOf = (directions: Iterable<Float64Array>): Float64Array => {
  let sum = new Float64Array(0)
  let count = 0
  for (const direction of directions) {
    if (count === 0) sum = new Float64Array(direction.length)
    for (let place = 0; place < direction.length; place += 1) sum[place] = (sum[place] ?? 0) + (direction[place] ?? 0)
    count += 1
  }
  return sum.map(value => value / count)
}

/** A vector without what all have in common, of length 1. */
export const directionOf = (vector: Float32Array, mean: readonly number[]): Float64Array =>
  ofLengthOne(Float64Array.from(vector, (value, place) => value - (mean[place] ?? 0)))

const ofLengthOne = (vector: Float64Array): Float64Array => {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1
  return vector.map(value => value / length)
}
