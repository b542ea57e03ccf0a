/** Origin and unit of likenesses, so that thresholds hold for any model. */
export interface Steps {
  readonly middle: number
  readonly spread: number
}

/**
 * The median of likenesses, and the spread of those below it: above are pairs that speak of one thing, which are many
 * when signals are few.
 */
export const stepsOf = (likenesses: Float64Array): Steps => {
  const half = likenesses.toSorted().subarray(0, Math.ceil(likenesses.length / 2))
  const middle = half.at(-1) ?? 0
  const squares = half.reduce((sum, likeness) => sum + (likeness - middle) ** 2, 0)
  return { middle, spread: Math.sqrt(squares / half.length) || 1 }
}
