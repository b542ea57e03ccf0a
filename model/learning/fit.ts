import { yieldToEventLoop } from '../../infra/runtime/turns.ts'
import { CLASSIFICATIONS } from '../../schemas/domain/vocabulary.ts'
import type { Weighed } from './terms.ts'

export const CLASSES = CLASSIFICATIONS.length

export interface Example {
  readonly weighed: Weighed
  /**
   * How likely each class is: 1 is what a person said, and less than that what the built-in classifier says where
   * nobody spoke.
   */
  readonly target: readonly number[]
  /** How much it counts beside the others. */
  readonly worth: number
}

/**
 * What each term adds to the score of each class, term by term and class by class, and what each class has from the
 * start.
 */
export interface TermWeights {
  readonly weights: Float32Array
  readonly bias: Float32Array
}

/** How much a weight must explain to differ from zero (L2). */
const SHRINKAGE = 0.3
const BIAS_SHRINKAGE = 0.1
const ROUNDS = 8
const STEP = 0.3
/** So that the first step of a weight, which has seen no gradient yet, is a step and no leap. */
const LEAST_SQUARES = 1e-6
const LEAST_BIAS_SQUARES = 1e-2

/**
 * Multinomial logistic regression: AdaGrad on one example after the other, each term shrunk as often as it comes. The
 * same examples in the same order give the same weights. The event loop turns in between.
 */
export const fitTerms = async (examples: readonly Example[], terms: number): Promise<TermWeights> => {
  const weights = new Float32Array(terms * CLASSES)
  const squares = new Float32Array(terms * CLASSES).fill(LEAST_SQUARES)
  const bias = new Float32Array(CLASSES)
  const biasSquares = new Float32Array(CLASSES).fill(LEAST_BIAS_SQUARES)
  const shrinkage = new Float32Array(terms)
  for (const { weighed } of examples) for (const place of weighed.places) shrinkage[place] = (shrinkage[place] ?? 0) + 1
  for (let place = 0; place < terms; place += 1) shrinkage[place] = SHRINKAGE / Math.max(1, shrinkage[place] ?? 0)

  for (let round = 0; round < ROUNDS; round += 1) {
    for (const index of shuffled(examples.length, round)) {
      const example = examples[index]
      if (example === undefined) continue
      const { places, values } = example.weighed
      const errors = softmax(scoresOf({ weights, bias }, example.weighed))
      for (let of = 0; of < CLASSES; of += 1) {
        const error = example.worth * ((errors[of] ?? 0) - (example.target[of] ?? 0))
        errors[of] = error
        const gradient = error + (BIAS_SHRINKAGE * (bias[of] ?? 0)) / examples.length
        const square = (biasSquares[of] ?? 0) + gradient * gradient
        biasSquares[of] = square
        bias[of] = (bias[of] ?? 0) - (STEP * gradient) / Math.sqrt(square)
      }
      for (let at = 0; at < places.length; at += 1) {
        const place = places[at] ?? 0
        const value = values[at] ?? 0
        const shrunk = shrinkage[place] ?? 0
        for (let of = 0; of < CLASSES; of += 1) {
          const weight = place * CLASSES + of
          const gradient = (errors[of] ?? 0) * value + shrunk * (weights[weight] ?? 0)
          const square = (squares[weight] ?? 0) + gradient * gradient
          squares[weight] = square
          weights[weight] = (weights[weight] ?? 0) - (STEP * gradient) / Math.sqrt(square)
        }
      }
    }
    await yieldToEventLoop()
  }
  return { weights, bias }
}

/**
 * What the terms say for each class, as logarithms of how likely they make it, up to a number that is the same for all.
 */
export const scoresOf = ({ weights, bias }: TermWeights, { places, values }: Weighed): Float64Array => {
  const scores = Float64Array.from(bias)
  for (let at = 0; at < places.length; at += 1) {
    const value = values[at] ?? 0
    for (let of = 0, weight = (places[at] ?? 0) * CLASSES; of < CLASSES; of += 1, weight += 1)
      scores[of] = (scores[of] ?? 0) + (weights[weight] ?? 0) * value
  }
  return scores
}

/** In place. */
export const softmax = (scores: Float64Array): Float64Array => {
  let highest = Number.NEGATIVE_INFINITY
  for (const score of scores) highest = Math.max(highest, score)
  let sum = 0
  for (let at = 0; at < scores.length; at += 1) {
    const raised = Math.exp((scores[at] ?? 0) - highest)
    scores[at] = raised
    sum += raised
  }
  for (let at = 0; at < scores.length; at += 1) scores[at] = (scores[at] ?? 0) / sum
  return scores
}

/** An order that is the same for the same number of examples. */
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
