import type { WordComparison } from './port.ts'
import { MAX_BEHIND, MAX_IN_TITLE, TITLE_SHIFT } from './terms.ts'

/** How much a word of the title counts against one behind it. */
const TITLE_WEIGHT = 3

/** What a text's counts of a word weigh, by the byte that holds them: the logarithm, since the tenth time says less than the first. */
export const FREQUENCY_WEIGHTS: Float64Array = Float64Array.from({ length: 256 }, (_, counts) => {
  const frequency = TITLE_WEIGHT * ((counts >>> TITLE_SHIFT) & MAX_IN_TITLE) + (counts & MAX_BEHIND)
  return frequency === 0 ? 0 : 1 + Math.log(frequency)
})

/**
 * What it counts that one text says the other's title somewhere, against the cosine of the two: learned on the marked duplicates of four trackers, on
 * which any value from 0.3 to 0.45 finds as many.
 */
const TITLE_TOLD = 0.37
/** The most that `likeness` answers. */
export const GREATEST_LIKENESS = 1 + 2 * TITLE_TOLD

/** How likely two texts are to tell of the same, as far as their words say. */
export const likeness = ({ words, titleTold, otherTitleTold }: WordComparison): number =>
  words + TITLE_TOLD * (titleTold + otherTitleTold)
