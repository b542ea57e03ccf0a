/** How many of a signal's candidates get a chance: a judge is asked about so many, or people. */
export const CHANCES = 3
/** How many of the nearest make the crowd around a signal. */
export const OTHERS = 10

/**
 * How near the others are: the mean of what is given. Two that are far nearer to each other than to the crowd are each
 * other's nearest.
 */
export const crowdOf = (similarities: readonly number[]): number =>
  similarities.length === 0 ? 0 : similarities.reduce((sum, one) => sum + one, 0) / similarities.length
