import type { ChanceModel } from './chance.ts'

export interface LabelledFeatures {
  readonly features: readonly number[]
  readonly same: boolean
  /** Number of pairs that this one stands for; default 1. */
  readonly weight?: number
}

/** L2 penalty of a weight, on features of mean 0 and deviation 1. */
const LEAST_SHRINKAGE = 3
/** Penalty for each pair, because many pairs of few trackers tell less than as many pairs of many trackers. */
const SHRINKAGE_SHARE = 0.00075
const ROUNDS = 50
/** Longer steps may diverge. */
const MAX_STEP = 1
const CLOSE = 1e-7

/**
 * Fits by Newton's method (iteratively reweighted least squares). Deterministic for the same pairs in the same order.
 */
export const fitLogistic = (pairs: readonly LabelledFeatures[]): ChanceModel => {
  const size = pairs[0]?.features.length ?? 0
  const columns = Array.from({ length: size }, (_, at) => pairs.map(({ features }) => features[at] ?? 0))
  const means = columns.map(mean)
  const deviations = columns.map(
    (column, at) => Math.sqrt(mean(column.map(value => (value - (means[at] ?? 0)) ** 2))) || 1,
  )
  const rows = pairs.map(({ features }) => [
    1,
    ...features.map((value, at) => (value - (means[at] ?? 0)) / (deviations[at] ?? 1)),
  ])
  const shrinkage = Math.max(LEAST_SHRINKAGE, SHRINKAGE_SHARE * pairs.length)
  const weights = new Array<number>(size + 1).fill(0)
  for (let round = 0; round < ROUNDS; round += 1) {
    const gradient = weights.map((weight, at) => (at === 0 ? 0 : shrinkage * weight))
    const curvature = weights.map((_, at) =>
      weights.map((_weight, other): number => (at === other && at > 0 ? shrinkage : 0)),
    )
    for (const [place, row] of rows.entries()) {
      const logOdds = row.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0)
      const chance = 1 / (1 + Math.exp(-logOdds))
      const { same = false, weight = 1 } = pairs[place] ?? {}
      const error = weight * (chance - (same ? 1 : 0))
      for (const [at, value] of row.entries()) {
        gradient[at] = (gradient[at] ?? 0) + error * value
        const line = curvature[at] ?? []
        for (const [other, factor] of row.entries()) {
          line[other] = (line[other] ?? 0) + weight * chance * (1 - chance) * value * factor
        }
      }
    }
    const step = solve(curvature, gradient)
    for (const [at, change] of step.entries()) {
      weights[at] = (weights[at] ?? 0) - Math.min(MAX_STEP, Math.max(-MAX_STEP, change))
    }
    if (step.every(change => Math.abs(change) < CLOSE)) break
  }
  const [intercept = 0, ...scaled] = weights
  return { intercept, means, weights: scaled.map((weight, at) => weight / (deviations[at] ?? 1)) }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** Solves a symmetric, positive definite linear system by Gaussian elimination. */
const solve = (matrix: readonly (readonly number[])[], right: readonly number[]): readonly number[] => {
  const rows = matrix.map((row, at) => [...row, right[at] ?? 0])
  for (const [at, pivot] of rows.entries()) {
    for (const below of rows.slice(at + 1)) {
      const factor = (below[at] ?? 0) / (pivot[at] ?? 1)
      for (let column = at; column < pivot.length; column += 1) {
        below[column] = (below[column] ?? 0) - factor * (pivot[column] ?? 0)
      }
    }
  }
  const solution = new Array<number>(right.length).fill(0)
  for (let at = rows.length - 1; at >= 0; at -= 1) {
    const row = rows[at] ?? []
    const known = solution.reduce((sum, value, column) => (column > at ? sum + value * (row[column] ?? 0) : sum), 0)
    solution[at] = ((row.at(-1) ?? 0) - known) / (row[at] ?? 1)
  }
  return solution
}
