import type { WordOverlap } from '../../../infra/word-index/port.ts'
import { DAY_MS, MINUTE_MS } from '../../../schemas/domain/durations.ts'

/** What a model sees of two signals that may tell of the same. Similarities are from 0 to 1. */
export interface ComparedPair {
  /** Cosines by the words that are rare in the workspace, of the texts and of their titles. */
  readonly words: number
  readonly titles: number
  /** By words, how near the others are that are the nearest to the one, and to the other: their mean. */
  readonly around: number
  /** Null where the words of one of the two are not held. */
  readonly overlap: WordOverlap | null
  readonly occurredAt: Date
  readonly otherOccurredAt: Date
}

/** In the order of a model's weights. */
export const FEATURES = [
  'titles',
  'nearer_than_others',
  'rarest_shared_word',
  'words_of_one',
  'title_told_least',
  'title_told_most',
  'copied_with_another_title',
  'days_apart',
  'at_once',
] as const

/** From such a cosine on, one text is a copy of the other for the most part. */
const COPIED = 0.5
/** Two reports in so short a time are two of a series by one author more often than the same. */
const AT_ONCE_MS = 144 * MINUTE_MS
const MAX_DAYS = 365
/** Keeps the share of a title whose words all say nothing near 0. */
const DAMPING = 0.1

const NOTHING_SHARED: WordOverlap = {
  rarestShared: 0,
  onlyOne: 0,
  onlyOther: 0,
  title: { total: 0, shared: 0 },
  otherTitle: { total: 0, shared: 0 },
  titlesDiffer: false,
}

/** What tells whether two signals are the same, each a number: of a size that a linear model can weigh. */
export const featuresOf = (pair: ComparedPair): readonly number[] => {
  const { words, titles, around } = pair
  const { rarestShared, onlyOne, onlyOther, title, otherTitle, titlesDiffer } = pair.overlap ?? NOTHING_SHARED
  const apart = Math.abs(pair.occurredAt.getTime() - pair.otherOccurredAt.getTime())
  /** How much of a title the other text says somewhere. */
  const [oneShared, otherShared] = [
    title.shared / (title.total + DAMPING),
    otherTitle.shared / (otherTitle.total + DAMPING),
  ]
  return [
    titles,
    words - around,
    rarestShared,
    Math.log1p(Math.max(onlyOne, onlyOther)),
    Math.min(oneShared, otherShared),
    Math.max(oneShared, otherShared),
    titlesDiffer ? Math.max(0, words - COPIED) : 0,
    Math.log1p(Math.min(apart / DAY_MS, MAX_DAYS)),
    apart < AT_ONCE_MS ? 1 : 0,
  ]
}
