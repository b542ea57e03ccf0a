import { wordsOf } from '../../../infra/word-index/words-of.ts'
import { DAY_MS, MINUTE_MS } from '../../../schemas/domain/durations.ts'

/** What a model sees of two signals that may tell of the same. Similarities are from 0 to 1. */
export interface ComparedPair {
  /** Cosines by the words that are rare in the workspace, of the texts and of their titles. */
  readonly words: number
  readonly titles: number
  /** By words, how near the others are that are the nearest to the one, and to the other: their mean. */
  readonly around: number
  readonly aroundOther: number
  /** The words of their first 2,000 characters, titles included. */
  readonly vocabulary: ReadonlySet<string>
  readonly otherVocabulary: ReadonlySet<string>
  readonly title: string
  readonly otherTitle: string
  readonly occurredAt: Date
  readonly otherOccurredAt: Date
  /** How rare a word is in the workspace, 0 to 1. */
  readonly rarity: (word: string) => number
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

/** What tells whether two signals are the same, each a number: of a size that a linear model can weigh. */
export const featuresOf = (pair: ComparedPair): readonly number[] => {
  const { words, titles, around, aroundOther, vocabulary: own, otherVocabulary: other, rarity } = pair
  const apart = Math.abs(pair.occurredAt.getTime() - pair.otherOccurredAt.getTime())
  const [title, otherTitle] = [new Set(wordsOf(pair.title)), new Set(wordsOf(pair.otherTitle))]
  const sum = (some: readonly string[]) => some.reduce((total, word) => total + rarity(word), 0)
  /** How much of a title the other text says somewhere, by the rarity of its words. */
  const told = (some: ReadonlySet<string>, by: ReadonlySet<string>) =>
    sum([...some].filter(word => by.has(word))) / (sum([...some]) + DAMPING)
  const [oneTold, otherTold] = [told(title, other), told(otherTitle, own)]
  const isAnotherTitle = only(title, otherTitle).length > 0 && only(otherTitle, title).length > 0
  return [
    titles,
    words - (around + aroundOther) / 2,
    [...own].reduce((most, word) => (other.has(word) ? Math.max(most, rarity(word)) : most), 0),
    Math.log1p(Math.max(sum(only(own, other)), sum(only(other, own)))),
    Math.min(oneTold, otherTold),
    Math.max(oneTold, otherTold),
    isAnotherTitle ? Math.max(0, words - COPIED) : 0,
    Math.log1p(Math.min(apart / DAY_MS, MAX_DAYS)),
    apart < AT_ONCE_MS ? 1 : 0,
  ]
}

const only = (some: ReadonlySet<string>, others: ReadonlySet<string>): readonly string[] =>
  [...some].filter(one => !others.has(one))
