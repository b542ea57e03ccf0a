import { type Change, changesBetween } from './changes.ts'
import { FILLERS } from './small-words.ts'

import type { Word } from './wording.ts'

const LEAST_LENGTH = 5
/** From this length on one other letter is more likely a slip than another word. */
const LEAST_SUBSTITUTED = 8
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Hangul}]/u

/**
 * Whether one word is the other with a slip of the finger: two letters changed places, one is missing or too many, or,
 * in a long word, one is another. The first letter stays. In Turkish one `m` makes a verb its opposite: it counts as a
 * slip beside another `m` alone.
 */
const isTypo = (one: string, other: string): boolean => {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (short.length < LEAST_LENGTH - 1 || long.length < LEAST_LENGTH || long.length - short.length > 1) return false
  if (short[0] !== long[0] || UNSPACED.test(long)) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at += 1
  if (long.length > short.length) {
    const added = long[at]
    const doubled = added === long[at - 1] || added === long[at + 1]
    return short.slice(at) === long.slice(at + 1) && (added !== 'm' || doubled)
  }
  const swapped = short[at] === long[at + 1] && short[at + 1] === long[at]
  if (swapped) return short.slice(at + 2) === long.slice(at + 2)
  return short.length >= LEAST_SUBSTITUTED && short.slice(at + 1) === long.slice(at + 1)
}

const MAX_CHANGES = 32
/** So many plain words may be added below the title. */
const ADDED_SHARE = 0.05
const MAX_ADDED = 6
const WORDS_A_TYPO = 6

/**
 * Whether two texts say the same, whatever their vectors: they differ in slips of the finger, in small words that say
 * nothing, and in few plain words that one of them has more below the title; in no number, version, name, host,
 * negation, opposite, nor in the order of words.
 */
export const saysTheSame = (left: readonly Word[], right: readonly Word[]): boolean => {
  const changes = changesBetween(left, right, MAX_CHANGES)
  if (changes === null) return false
  const words = Math.min(left.length, right.length)
  const rest = changes.filter(change => !isSlip(change))
  const added = rest.flatMap(change => change.left).filter(word => !isFiller(word))
  const more = rest.flatMap(change => change.right).filter(word => !isFiller(word))
  if (rest.some(isExchange) || (added.length > 0 && more.length > 0)) return false
  const plain = [...added, ...more]
  return (
    plain.every(word => !(word.isFact || word.isName || word.isTitle)) &&
    plain.length <= Math.min(MAX_ADDED, words * ADDED_SHARE) &&
    changes.length - rest.length <= 1 + words / WORDS_A_TYPO
  )
}

/** A filler that is quoted, or part of a name, is a fact. */
const isFiller = ({ text, isFact }: Word): boolean => !isFact && FILLERS.has(text)

const isExchange = ({ left, right }: Change<Word>): boolean => left.length > 0 && right.length > 0

/** The same letters, parted otherwise or with a slip in each word. */
const isSlip = ({ left, right }: Change<Word>): boolean =>
  joined(left) === joined(right) ||
  (left.length === right.length && left.every((word, index) => isSlippedWord(word, right[index])))

const joined = (words: readonly Word[]): string => words.map(word => word.text).join('')

const LEAST_NAME = 6

const isSlippedWord = (one: Word, other: Word | undefined): boolean => {
  if (other === undefined || one.isFact || other.isFact || !isTypo(one.text, other.text)) return false
  if (!one.isName && !other.isName) return true
  return Math.min(one.text.length, other.text.length) >= LEAST_NAME && one.text.at(-1) === other.text.at(-1)
}
