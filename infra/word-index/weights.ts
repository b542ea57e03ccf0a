import { MAX_BEHIND, MAX_IN_TITLE, TITLE_SHIFT } from './terms.ts'

/** How much a word of the title counts against one behind it. */
const TITLE_WEIGHT = 3

/** What a text's counts of a word weigh, by the byte that holds them: the logarithm, since the tenth time says less than the first. */
export const FREQUENCY_WEIGHTS: Float64Array = Float64Array.from({ length: 256 }, (_, counts) => {
  const frequency = TITLE_WEIGHT * ((counts >>> TITLE_SHIFT) & MAX_IN_TITLE) + (counts & MAX_BEHIND)
  return frequency === 0 ? 0 : 1 + Math.log(frequency)
})

/** The same for the title alone. */
export const TITLE_WEIGHTS: Float64Array = Float64Array.from({ length: 256 }, (_, counts) => {
  const frequency = (counts >>> TITLE_SHIFT) & MAX_IN_TITLE
  return frequency === 0 ? 0 : 1 + Math.log(frequency)
})
