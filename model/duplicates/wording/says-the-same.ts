import { type Change, changesBetween } from './changes.ts'
import { FILLERS } from './small-words.ts'
import { isTypo } from './typo.ts'
import type { Word } from './wording.ts'

const MAX_CHANGES = 32
/** Of the words below the title, so many may be others, or added, if they carry no fact. */
const CHANGED_SHARE = 0.05
const MAX_CHANGED = 6
const WORDS_A_TYPO = 6

/**
 * Whether two texts say the same, whatever their vectors: they differ in slips of the finger, in small words that say nothing, and in few
 * plain words below the title; in no number, version, name, host, negation, opposite, nor in the order of words.
 */
export const saysTheSame = (left: readonly Word[], right: readonly Word[]): boolean => {
  const changes = changesBetween(left, right, MAX_CHANGES)
  if (changes === null) return false
  const words = Math.min(left.length, right.length)
  let typos = 0
  let changed = 0
  for (const change of changes) {
    const found = weigh(change)
    if (found === 'other') return false
    if (found === 'typo') typos += 1
    else changed += found
  }
  return typos <= 1 + words / WORDS_A_TYPO && changed <= Math.min(MAX_CHANGED, words * CHANGED_SHARE)
}

/** That it says something else, that it is a slip, or how many plain words it changes. */
const weigh = ({ left, right }: Change<Word>): 'other' | 'typo' | number => {
  if (joined(left) === joined(right)) return 'typo'
  if (left.length === right.length && left.every((word, index) => isSlip(word, right[index]))) return 'typo'
  const all = [...left, ...right]
  if (all.some(word => word.isFact || word.isName)) return 'other'
  if ((left.length === 0 || right.length === 0) && all.every(word => FILLERS.has(word.text))) return 0
  return all.some(word => word.isTitle) ? 'other' : Math.max(left.length, right.length)
}

const joined = (words: readonly Word[]): string => words.map(word => word.text).join('')

const LEAST_NAME = 6

const isSlip = (one: Word, other: Word | undefined): boolean => {
  if (other === undefined || one.isFact || other.isFact || !isTypo(one.text, other.text)) return false
  if (!one.isName && !other.isName) return true
  return Math.min(one.text.length, other.text.length) >= LEAST_NAME && one.text.at(-1) === other.text.at(-1)
}
