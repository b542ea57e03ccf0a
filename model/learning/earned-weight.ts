import { beside, type Example } from './fit.ts'
import { fitOffsets, likelyAmong, noOffsets } from './offsets.ts'

/** An example, and what the terms say of it by a fit that has not seen it. */
export interface Heard extends Omit<Example, 'weighed'> {
  readonly learned: Float64Array
}

/** So much must be gained for the terms to count as much as they say: few lessons gain little. */
const RELUCTANCE = 10
/** A gain below so many of its standard errors may be chance, and earns no weight. */
const ERRORS = 2
/** Words that were shrunk much may count for more than they say. */
const HIGHEST = 1.5
const STEPS = 15
const SWEEPS = 30

/** How unlikely each example is, if the terms count so much. How examples were picked tells for no weight. */
const lossesAt = (weight: number, heard: readonly Heard[], spoken: readonly number[]): readonly number[] => {
  const scores = heard.map(one => beside(one, one.learned, weight))
  const offsets = fitOffsets(heard, scores, spoken, noOffsets(), SWEEPS)
  return heard.map(({ target, takenFor, worth }, index) => {
    const likely = likelyAmong(spoken, scores[index] ?? [], offsets, takenFor)
    let loss = 0
    for (const [at, of] of spoken.entries()) {
      const share = target[of] ?? 0
      if (share > 0) loss -= worth * share * Math.log(Math.max(Number.MIN_VALUE, likely[at] ?? 0))
    }
    return loss
  })
}

/**
 * How much the terms count beside the built-in classifier: the weight by which the examples gain the most, less what of
 * that gain may be chance.
 */
export const earnedWeight = (heard: readonly Heard[], spoken: readonly number[]): number => {
  const without = lossesAt(0, heard, spoken)
  let earned = 0
  let most = 0
  for (let step = 1; step <= STEPS; step += 1) {
    const weight = (HIGHEST * step) / STEPS
    const gains = lossesAt(weight, heard, spoken).map((loss, index) => (without[index] ?? 0) - loss)
    const sum = gains.reduce((total, gain) => total + gain, 0)
    const mean = sum / gains.length
    const squares = gains.reduce((total, gain) => total + (gain - mean) ** 2, 0)
    const gained = sum - ERRORS * Math.sqrt(squares) - (RELUCTANCE * weight ** 2) / 2
    if (gained <= most) continue
    most = gained
    earned = weight
  }
  return earned
}
