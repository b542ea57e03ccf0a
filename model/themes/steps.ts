/** What likeness is counted from, and in what: so a bar is the same for any model. */
export interface Steps {
  readonly middle: number
  readonly spread: number
}

/**
 * The middle of likenesses, and how far those below it lie from it: above it are those that speak of one thing, which
 * are many where signals are few.
 */
export const stepsOf = (likenesses: Float64Array): Steps => {
  const half = likenesses.toSorted().subarray(0, Math.ceil(likenesses.length / 2))
  const middle = half.at(-1) ?? 0
  const squares = half.reduce((sum, likeness) => sum + (likeness - middle) ** 2, 0)
  return { middle, spread: Math.sqrt(squares / half.length) || 1 }
}
