import { softmax } from './linear.ts'

/** Values of a text and its class. */
export interface Example {
  readonly values: Float64Array
  /** From 0. */
  readonly label: number
  readonly weight: number
}

interface Regression {
  readonly classes: number
  /** L2 penalty of a weight. */
  readonly shrinkage: number
}

const ROUNDS = 200
const STEP = 0.1

/**
 * Multinomial logistic regression by Adam, over all examples at each step. Answers a row for each class: its bias, then
 * a weight for each value. Deterministic for the same examples in the same order.
 */
export const regress = (
  examples: readonly Example[],
  { classes, shrinkage }: Regression,
): readonly (readonly number[])[] => {
  const row = 1 + (examples[0]?.values.length ?? 0)
  const weights = new Float64Array(classes * row)
  const mean = new Float64Array(weights.length)
  const square = new Float64Array(weights.length)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const gradient = weights.map((weight, at) => (at % row === 0 ? 0 : shrinkage * weight))
    for (const { values, label, weight } of examples) {
      const likely = softmax(Array.from({ length: classes }, (_, of) => scoreOf(weights, of * row, values)))
      for (const [of, value] of likely.entries())
        addTo(gradient, of * row, values, weight * (value - (of === label ? 1 : 0)))
    }
    const pace = (STEP * Math.sqrt(1 - 0.99 ** round)) / (1 - 0.9 ** round)
    for (let at = 0; at < weights.length; at += 1) {
      const slope = gradient[at] ?? 0
      mean[at] = 0.9 * (mean[at] ?? 0) + 0.1 * slope
      square[at] = 0.99 * (square[at] ?? 0) + 0.01 * slope * slope
      weights[at] = (weights[at] ?? 0) - (pace * (mean[at] ?? 0)) / (Math.sqrt(square[at] ?? 0) + 1e-8)
    }
  }
  return Array.from({ length: classes }, (_, of) => [...weights.subarray(of * row, (of + 1) * row)])
}

const scoreOf = (weights: Float64Array, from: number, values: Float64Array): number => {
  let score = weights[from] ?? 0
  for (let at = 0; at < values.length; at += 1) score += (weights[from + 1 + at] ?? 0) * (values[at] ?? 0)
  return score
}

const addTo = (gradient: Float64Array, from: number, values: Float64Array, error: number): void => {
  gradient[from] = (gradient[from] ?? 0) + error
  for (let at = 0; at < values.length; at += 1)
    gradient[from + 1 + at] = (gradient[from + 1 + at] ?? 0) + error * (values[at] ?? 0)
}
