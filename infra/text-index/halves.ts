import type { Dictionary } from './dictionary.ts'

const MAX_SPLITS = 3
const LEAST_HALF = 2
const LEAST_HALF_WITH_ERROR = 3

/** Two adjacent words that stand for one: "time out" for "timeout". */
export interface Split {
  readonly left: ReadonlySet<number>
  readonly right: ReadonlySet<number>
}

interface Halves {
  readonly left: readonly number[]
  readonly right: readonly number[]
}

/** The halves that occur in texts, most frequent first. */
const mostFrequent = (halves: readonly Halves[], having: (term: number) => number): Split[] =>
  halves
    .map(({ left, right }) => ({ left, right, texts: Math.min(sum(left.map(having)), sum(right.map(having))) }))
    .filter(({ texts }) => texts > 0)
    .toSorted((one, other) => other.texts - one.texts)
    .slice(0, MAX_SPLITS)
    .map(({ left, right }) => ({ left: new Set(left), right: new Set(right) }))

/** The ways to split a word into halves of at least `least` letters. */
const halvesOf = (word: string, least: number): readonly (readonly [left: string, right: string])[] =>
  Array.from({ length: Math.max(0, word.length - 2 * least + 1) }, (_, place) => [
    word.slice(0, place + least),
    word.slice(place + least),
  ])

/**
 * A letter before a word, as in `e mail` and `x ray`, or a digit after one. Letters that occur alone are left out, such
 * as the `s` of "it's".
 */
const HALVES_OF_ONE = [/^([bcefghjkpquvwxz])([a-z]{3,})$/, /^(t)([a-z]{5,})$/, /^(\p{L}{2,})(\d)$/u]
const halvesOfOne = (word: string): readonly (readonly [left: string, right: string])[] =>
  HALVES_OF_ONE.flatMap(pattern => {
    const [, left, right] = pattern.exec(word) ?? []
    return left === undefined || right === undefined ? [] : [[left, right] as const]
  })

/** The splits of a word into two words of texts, in all their forms: "timed out". */
export const splitsOf = (word: string, { formsOf }: Dictionary, having: (term: number) => number): Split[] =>
  mostFrequent(
    [...halvesOf(word, LEAST_HALF), ...halvesOfOne(word)].map(([left, right]) => ({
      left: formsOf(left),
      right: formsOf(right),
    })),
    having,
  )

/** The splits with a typing error in one half, or with the two middle letters swapped. */
export const splitsWithError = (
  word: string,
  { formsOf, oneErrorFrom }: Dictionary,
  having: (term: number) => number,
): Split[] => {
  const halves = halvesOf(word, LEAST_HALF_WITH_ERROR).flatMap(([left, right]): Halves[] => {
    const [ofLeft, ofRight] = [formsOf(left), formsOf(right)]
    return [
      { left: ofLeft, right: ofLeft.length === 0 ? [] : oneErrorFrom(right) },
      { left: ofRight.length === 0 ? [] : oneErrorFrom(left), right: ofRight },
      { left: formsOf(left.slice(0, -1) + right.slice(0, 1)), right: formsOf(left.slice(-1) + right.slice(1)) },
    ]
  })
  return mostFrequent(halves, having)
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
