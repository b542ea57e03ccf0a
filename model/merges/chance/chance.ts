import { type ComparedPair, featuresOf } from './features.ts'
import weights from './weights.json' with { type: 'json' }

/**
 * What `fit.ts` learned: the logarithm of the odds is the intercept and the weighted sum of what the features are above
 * their means.
 */
export interface ChanceModel {
  readonly intercept: number
  readonly means: readonly number[]
  readonly weights: readonly number[]
}

export const logit = (chance: number): number => Math.log(chance / (1 - chance))
export const logistic = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds))

/** The logarithm of the odds that a pair with these features is the same. */
export const logOddsOf = ({ intercept, means, weights }: ChanceModel, features: readonly number[]): number =>
  features.reduce((sum, feature, at) => sum + (weights[at] ?? 0) * (feature - (means[at] ?? 0)), intercept)

/** Above and below it a chance says no more. */
const SUREST = 0.995

/**
 * The chance that two signals tell of the same, by what was learned from public trackers; a workspace's own decisions
 * correct it.
 */
export const chanceOf = (pair: ComparedPair): number =>
  Math.min(SUREST, Math.max(1 - SUREST, logistic(logOddsOf(weights, featuresOf(pair)))))
