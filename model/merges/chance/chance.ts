import type { WordComparison } from '../../../infra/word-index/port.ts'
import { DAY_MS, MINUTE_MS } from '../../../schemas/domain/durations.ts'
import weights from './weights.json' with { type: 'json' }

/** How many of a signal's candidates get a chance: a judge is asked about so many, or people. */
export const CHANCES = 3
/** How many of the nearest make the crowd around a signal. */
export const OTHERS = 10

/**
 * How near the others are: the mean of what is given. Two that are far nearer to each other than to the crowd are each
 * other's nearest.
 */
export const crowdOf = (similarities: readonly number[]): number =>
  similarities.length === 0 ? 0 : similarities.reduce((sum, one) => sum + one, 0) / similarities.length

/** What a model sees of two signals that may tell of the same. Similarities are from 0 to 1. */
export interface ComparedPair {
  /** By words; null where the words of one of the two are not held. */
  readonly compared: WordComparison | null
  /** By words, how near the others are that are the nearest to the one, and to the other: their mean. */
  readonly around: number
  readonly occurredAt: Date
  readonly otherOccurredAt: Date
  /** Both are dated, and nothing says that two people wrote them: close in time, they may be two of one series. */
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

/** From such a cosine on, one text is a copy of the other for the most part. */
const COPIED = 0.5
/** Two reports in so short a time are two of a series by one author more often than the same. */
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

/** What tells whether two signals are the same, each a number: of a size that a linear model can weigh. */
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

/** Above it a chance says no more. What is unlikely keeps its order: the best of it is still asked about first. */
const SUREST = 0.995
const LEAST = 1e-6

/**
 * The chance that two signals tell of the same, by what was learned from public trackers; a workspace's own decisions
 * correct it.
 */
export const chanceOf = (pair: ComparedPair): number =>
  Math.min(SUREST, Math.max(LEAST, logistic(logOddsOf(weights, featuresOf(pair)))))
