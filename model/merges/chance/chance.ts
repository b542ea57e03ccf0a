import type { WordComparison } from '../../../infra/word-index/port.ts'
import { DAY_MS, MINUTE_MS } from '../../../schemas/domain/durations.ts'
import weights from './weights.json' with { type: 'json' }

/** Candidates of a signal that get a chance: a judge or people are asked about so many. */
export const CHANCES = 3
/** Nearest candidates that form the crowd around a signal. */
export const OTHERS = 10

/**
 * Mean similarity of the crowd. Two signals that are much nearer to each other than to the crowd are probably the same.
 */
export const crowdOf = (similarities: readonly number[]): number =>
  similarities.length === 0 ? 0 : similarities.reduce((sum, one) => sum + one, 0) / similarities.length

/** A model's input for two signals. Similarities are from 0 to 1. */
export interface ComparedPair {
  /** Comparison by words; null when the words of one of the two are not in memory. */
  readonly compared: WordComparison | null
  /** Mean similarity by words to the crowd. */
  readonly around: number
  readonly occurredAt: Date
  readonly otherOccurredAt: Date
  /** True when both are dated and one person wrote them: close in time, they may belong to a series. */
  readonly mayBeSeries: boolean
}

/** In the order of a model's weights. */
export const FEATURES = [
  'nearer_than_others',
  'words_of_one',
  'title_shared_least',
  'title_shared_most',
  'copied_with_another_title',
  'days_apart',
  'at_once',
] as const

/** From this cosine on, one text is mostly a copy of the other. */
const COPIED = 0.5
/** Two reports within this time are more often a series by one author than the same report. */
const AT_ONCE_MS = 144 * MINUTE_MS
const MAX_DAYS = 365

const NOTHING_ALIKE: WordComparison = {
  words: 0,
  titleShared: 0,
  otherTitleShared: 0,
  onlyOne: 0,
  onlyOther: 0,
  titlesDiffer: false,
}

/** Features of a pair, scaled for a linear model. */
export const featuresOf = (pair: ComparedPair): readonly number[] => {
  const { words, titleShared, otherTitleShared, onlyOne, onlyOther, titlesDiffer } = pair.compared ?? NOTHING_ALIKE
  const apart = Math.abs(pair.occurredAt.getTime() - pair.otherOccurredAt.getTime())
  return [
    words - pair.around,
    Math.log1p(Math.max(onlyOne, onlyOther)),
    Math.min(titleShared, otherTitleShared),
    Math.max(titleShared, otherTitleShared),
    titlesDiffer ? Math.max(0, words - COPIED) : 0,
    Math.log1p(Math.min(apart / DAY_MS, MAX_DAYS)),
    pair.mayBeSeries && apart < AT_ONCE_MS ? 1 : 0,
  ]
}

/**
 * A model from `fit.ts`. Its log odds are the intercept plus the weighted sum of the features' distances from their
 * means.
 */
export interface ChanceModel {
  readonly intercept: number
  readonly means: readonly number[]
  readonly weights: readonly number[]
}

export const logit = (chance: number): number => Math.log(chance / (1 - chance))
export const logistic = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds))

/** Log odds that a pair with these features is the same. */
export const logOddsOf = ({ intercept, means, weights }: ChanceModel, features: readonly number[]): number =>
  features.reduce((sum, feature, at) => sum + (weights[at] ?? 0) * (feature - (means[at] ?? 0)), intercept)

/** Bounds of a chance. Unlikely pairs keep their order, so that the best of them is asked about first. */
const SUREST = 0.995
const LEAST = 1e-6

/** Chance that two signals say the same, fitted on public trackers. A workspace's decisions correct it. */
export const chanceOf = (pair: ComparedPair): number =>
  Math.min(SUREST, Math.max(LEAST, logistic(logOddsOf(weights, featuresOf(pair)))))
