import type { WordComparison } from '../../../infra/word-index/port.ts'
import { DAY_MS, MINUTE_MS } from '../../../schemas/domain/durations.ts'

/** What a model sees of two signals that may tell of the same. Similarities are from 0 to 1. */
export interface ComparedPair {
  /** By words; null where the words of one of the two are not held. */
  readonly compared: WordComparison | null
  /** By words, how near the others are that are the nearest to the one, and to the other: their mean. */
  readonly around: number
  readonly occurredAt: Date
  readonly otherOccurredAt: Date
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
    apart < AT_ONCE_MS ? 1 : 0,
  ]
}
