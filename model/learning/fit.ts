import { yieldToEventLoop } from '../../infra/runtime/yielding.ts'
import { CLASSIFICATIONS } from '../../schemas/domain/vocabulary.ts'
import { fitOffsets, likelyAmong, noOffsets, type Picked } from './offsets.ts'
import type { Weighed } from './terms.ts'

export const CLASSES = CLASSIFICATIONS.length

export interface Example extends Picked {
  readonly weighed: Weighed
  /** The built-in classifier's log likelihood of each class. */
  readonly builtIn: Float64Array
}

/** L2 penalty of a weight. */
const SHRINKAGE = 1
const ROUNDS = 8
const STEP = 0.3
/** Start of AdaGrad's sums: weights with little evidence then move little. */
const LEAST_SQUARES = 0.05
const FIRST_SWEEPS = 30
const SWEEPS = 6

/**
 * Fits each term's addition to the score of each class, beside the built-in classifier: multinomial logistic regression
 * among the classes in `spoken`. The way in which examples were picked is fitted apart and not kept, so that it moves
 * no weight. AdaGrad over single examples; each term is shrunk as often as it comes. Deterministic for the same
 * examples in the same order. Yields to the event loop.
 */
export const fitTerms = async (
  examples: readonly Example[],
  terms: number,
  spoken: readonly number[],
): Promise<Float32Array> => {
  const weights = new Float32Array(terms * CLASSES)
  const squares = new Float32Array(terms * CLASSES).fill(LEAST_SQUARES)
  const shrinkage = new Float32Array(terms)
  for (const { weighed } of examples) for (const place of weighed.places) shrinkage[place] = (shrinkage[place] ?? 0) + 1
  for (let place = 0; place < terms; place += 1) shrinkage[place] = SHRINKAGE / Math.max(1, shrinkage[place] ?? 0)

  const offsets = noOffsets()
  for (let round = 0; round < ROUNDS; round += 1) {
    const scores = examples.map(example => beside(example, scoresOf(weights, example.weighed), 1))
    fitOffsets(examples, scores, spoken, offsets, round === 0 ? FIRST_SWEEPS : SWEEPS)
    for (const index of shuffled(examples.length, round)) {
      const example = examples[index]
      if (example === undefined) continue
      const { places, values } = example.weighed
      const likely = likelyAmong(
        spoken,
        beside(example, scoresOf(weights, example.weighed), 1),
        offsets,
        example.takenFor,
      )
      const errors = spoken.map((of, at) => example.worth * ((likely[at] ?? 0) - (example.target[of] ?? 0)))
      for (let at = 0; at < places.length; at += 1) {
        const place = places[at] ?? 0
        const value = values[at] ?? 0
        const shrunk = shrinkage[place] ?? 0
        for (let voice = 0; voice < spoken.length; voice += 1) {
          const weight = place * CLASSES + (spoken[voice] ?? 0)
          const gradient = (errors[voice] ?? 0) * value + shrunk * (weights[weight] ?? 0)
          const square = (squares[weight] ?? 0) + gradient * gradient
          squares[weight] = square
          weights[weight] = (weights[weight] ?? 0) - (STEP * gradient) / Math.sqrt(square)
        }
      }
    }
    await yieldToEventLoop()
  }
  return weights
}

/** The terms' addition to the score of each class. */
export const scoresOf = (weights: Float32Array, { places, values }: Weighed): Float64Array => {
  const scores = new Float64Array(CLASSES)
  for (let at = 0; at < places.length; at += 1) {
    const value = values[at] ?? 0
    for (let of = 0, weight = (places[at] ?? 0) * CLASSES; of < CLASSES; of += 1, weight += 1)
      scores[of] = (scores[of] ?? 0) + (weights[weight] ?? 0) * value
  }
  return scores
}

/** Scores of the built-in classifier plus the learned scores times their weight. */
export const beside = ({ builtIn }: Pick<Example, 'builtIn'>, learned: Float64Array, weight: number): Float64Array =>
  builtIn.map((score, of) => score + weight * (learned[of] ?? 0))

/** A fixed order for a number of examples and a round. */
const shuffled = (count: number, round: number): Uint32Array => {
  const order = Uint32Array.from({ length: count }, (_, at) => at)
  let state = (0x9e3779b9 + round) >>> 0
  for (let at = count - 1; at > 0; at -= 1) {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x12345) >>> 0
    const other = state % (at + 1)
    const kept = order[at] ?? 0
    order[at] = order[other] ?? 0
    order[other] = kept
  }
  return order
}
