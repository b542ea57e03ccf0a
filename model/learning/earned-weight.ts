import { beside, type Example } from './fit.ts'
import { fitOffsets, likelyAmong, noOffsets } from './offsets.ts'

/** An example with the terms' scores by a fit that has not seen it. */
export interface Heard extends Omit<Example, 'weighed'> {
  readonly learned: Float64Array
}

/** Penalty of a weight, so that few lessons earn little. */
const RELUCTANCE = 12
/** Standard errors that are subtracted from a gain: a smaller gain may be chance, and earns no weight. */
const ERRORS = 2
/** Highest weight. Words that were shrunk much may count for more than their fitted value. */
const HIGHEST = 1.5
const STEPS = 15
const SWEEPS = 30

/**
 * Loss of each example for a weight of the terms. The way in which examples were picked is fitted apart and favours no
 * weight.
 */
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
 * The weight of the terms beside the built-in classifier: the one with the highest gain over the examples, less the
 * part that may be chance.
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
