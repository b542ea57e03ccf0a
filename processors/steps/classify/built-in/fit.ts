import { CLASSIFICATIONS, type Classification } from '../../../../schemas/domain/vocabulary.ts'
import { FEATURES, featuresOf } from './features.ts'
import { type LinearModel, softmax } from './linear.ts'

/** L2 penalty for a weight that leaves its known value. */
const SHRINKAGE = 8
const ROUNDS = 120
const STEP = 0.05
/** Weights are stored with this many decimals. */
const DECIMALS = 3
const LABELS = CLASSIFICATIONS.length

export interface Example {
  readonly features: readonly number[]
  readonly isReport: boolean
  /** Index in CLASSIFICATIONS. */
  readonly label: number
  readonly weight: number
}

const INDEX = new Map(FEATURES.map((name, at) => [name, at]))

export const toExample = (text: string, event: string | null, label: Classification, weight: number): Example => {
  const features = featuresOf(text, event)
  return {
    features: [...features].map(name => {
      const at = INDEX.get(name)
      if (at === undefined) throw new TypeError(`The feature '${name}' is not in FEATURES.`)
      return at
    }),
    isReport: features.has('report'),
    label: CLASSIFICATIONS.indexOf(label),
    weight,
  }
}

/** Score of each of CLASSIFICATIONS: the sum of the weights of the example's features. */
export const scoresOf = (weights: Float64Array, { features }: Example): readonly number[] => {
  const scores = CLASSIFICATIONS.map(() => 0)
  for (const feature of features) {
    for (let label = 0; label < LABELS; label += 1) {
      scores[label] = (scores[label] ?? 0) + (weights[feature * LABELS + label] ?? 0)
    }
  }
  return scores
}

/**
 * Minimizes the cross-entropy by Adam (Kingma and Ba, 2015), over all examples at each step. Starts at `known`; weights
 * that the examples do not contradict keep their value.
 */
export const fit = (examples: readonly Example[], known: Float64Array): Float64Array => {
  const weights = known.slice()
  const mean = new Float64Array(weights.length)
  const square = new Float64Array(weights.length)
  const total = examples.reduce((sum, { weight }) => sum + weight, 0)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const gradient = weights.map((weight, at) => SHRINKAGE * (weight - (known[at] ?? 0)))
    for (const example of examples) {
      const likely = softmax(scoresOf(weights, example))
      const errors = likely.map((value, label) => example.weight * (value - (label === example.label ? 1 : 0)))
      for (const feature of example.features) {
        const at = feature * LABELS
        for (let label = 0; label < LABELS; label += 1) {
          gradient[at + label] = (gradient[at + label] ?? 0) + (errors[label] ?? 0)
        }
      }
    }
    for (let at = 0; at < weights.length; at += 1) {
      const slope = (gradient[at] ?? 0) / total
      mean[at] = 0.9 * (mean[at] ?? 0) + 0.1 * slope
      square[at] = 0.99 * (square[at] ?? 0) + 0.01 * slope * slope
      const step = (mean[at] ?? 0) / (1 - 0.9 ** round)
      weights[at] = (weights[at] ?? 0) - (STEP * step) / (Math.sqrt((square[at] ?? 0) / (1 - 0.99 ** round)) + 1e-8)
    }
  }
  return weights
}

/** Stored weights in the order of FEATURES; zero for features that they lack. */
export const flat = (stored: LinearModel['weights']): Float64Array => {
  const weights = new Float64Array(FEATURES.length * LABELS)
  for (const [feature, name] of FEATURES.entries()) weights.set(stored[name] ?? [], feature * LABELS)
  return weights
}

/** Weights by feature name, for storing. */
export const named = (weights: Float64Array): Record<string, readonly number[]> =>
  Object.fromEntries(
    FEATURES.map((name, feature) => [
      name,
      // Adding zero makes a negative zero positive, as JSON would.
      CLASSIFICATIONS.map((_, label) => Number((weights[feature * LABELS + label] ?? 0).toFixed(DECIMALS)) + 0),
    ]),
  )
