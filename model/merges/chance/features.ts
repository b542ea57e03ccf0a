import type { WordOverlap } from '../../../infra/word-index/port.ts'
import { DAY_MS } from '../../../schemas/domain/durations.ts'

/** What a model sees of two signals that may tell of the same. Similarities are from 0 to 1. */
export interface ComparedPair {
  /** By words, titles and vectors together. */
  readonly score: number
  /** Cosines by the words that are rare in the workspace, of the texts and of their titles. */
  readonly words: number
  readonly titles: number
  /** By words, how near the others are that are the nearest to the one: their mean. */
  readonly around: number
  /** Null where the words of one of the two are not held. */
  readonly overlap: WordOverlap | null
  readonly title: string
  readonly otherTitle: string
  /** One is a problem, the other an idea. */
  readonly kindsDiffer: boolean
  readonly occurredAt: Date
  readonly otherOccurredAt: Date
}

/** In the order of a model's weights. */
export const FEATURES = [
  'likeness',
  'titles',
  'nearer_than_others',
  'rarest_shared_word',
  'words_of_one',
  'numbers_differ',
  'names_differ',
  'lengths_differ',
  'kinds_differ',
  'days_apart',
] as const

/** Above it, more is a copy or one of a series of reports by one author as often as it is a duplicate. */
const MAX_LIKENESS = 0.6
const MAX_DAYS = 365

const NOTHING_SHARED: WordOverlap = { one: 0, other: 0, rarestShared: 0, onlyOne: 0, onlyOther: 0 }

const NUMBER = /\d+(?:\.\d+)*/g
const TOKEN = /[\p{L}\p{N}._]+/gu
/** A word with a capital or a digit names a product, a version or a piece of code, as far as one can see. */
const IS_NAME = /[\p{Lu}\p{N}]/u

/** What tells whether two signals are the same, each a number: of a size that a linear model can weigh. */
export const featuresOf = (pair: ComparedPair): readonly number[] => {
  const { score, words, titles, around } = pair
  const { rarestShared, onlyOne, onlyOther, one, other } = pair.overlap ?? NOTHING_SHARED
  const days = Math.abs(pair.occurredAt.getTime() - pair.otherOccurredAt.getTime()) / DAY_MS
  return [
    Math.min(score, MAX_LIKENESS),
    titles,
    words - around,
    rarestShared,
    Math.log1p(Math.max(onlyOne, onlyOther)),
    differ(numbersOf(pair.title), numbersOf(pair.otherTitle)) ? 1 : 0,
    differ(namesOf(pair.title), namesOf(pair.otherTitle)) ? 1 : 0,
    Math.abs(Math.log1p(one) - Math.log1p(other)),
    pair.kindsDiffer ? 1 : 0,
    Math.log1p(Math.min(days, MAX_DAYS)),
  ]
}

const only = (some: ReadonlySet<string>, others: ReadonlySet<string>): readonly string[] =>
  [...some].filter(one => !others.has(one))

/** Whether each of the two has something that the other one has not. */
const differ = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  only(some, others).length > 0 && only(others, some).length > 0

const numbersOf = (title: string): ReadonlySet<string> => new Set(title.match(NUMBER))

/** The first word has its capital from the sentence. */
const namesOf = (title: string): ReadonlySet<string> => {
  const [first = '', ...rest] = title.match(TOKEN) ?? []
  const names = [first.slice(1), ...rest].filter(token => IS_NAME.test(token))
  return new Set(names.map(name => name.toLowerCase()))
}
