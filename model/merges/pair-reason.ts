import { wordFormsOf } from '../../infra/word-index/terms.ts'
import { saysOf } from '../claims/titles.ts'

/** Stored reasons of waiting pairs that no judge was asked about. */
const BY_WORDS = 'The two are alike in their words.'
const BY_MEANING = 'The two mean much the same, in other words.'
const BY_COMMON_WORDS = 'They share only words that many signals have.'

export const unjudgedReason = (isByMeaning: boolean): string => (isByMeaning ? BY_MEANING : BY_WORDS)

const UNJUDGED: readonly string[] = [BY_WORDS, BY_MEANING, 'The two are alike in their words, or in what they mean.']

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’.-][\p{L}\p{M}\p{N}]+){0,8}/gu
const READ_CHARACTERS = 1_200
const NAMED = 3
/** Common words that are looked up, the most telling by their letters. */
const LOOKED_AT = 12
/** Words below this weight join others in most languages. */
const LEAST_SAYS = 0.5

/**
 * The most telling words that two texts share, in the spelling of the first. `isCommon` tells words that mean nothing
 * for a single signal.
 */
export const sharedWords = (one: string, other: string, isCommon: (word: string) => boolean): readonly string[] => {
  const others = new Set(wordFormsOf(other.slice(0, READ_CHARACTERS)))
  const shared = new Map<string, string>()
  for (const word of one.slice(0, READ_CHARACTERS).match(WORD) ?? []) {
    const [form = ''] = wordFormsOf(word)
    if (others.has(form) && saysOf(word) >= LEAST_SAYS && !shared.has(form)) shared.set(form, word)
  }
  return [...shared.values()]
    .toSorted((left, right) => saysOf(right) - saysOf(left) || right.length - left.length)
    .slice(0, LOOKED_AT)
    .filter(word => !isCommon(word))
    .slice(0, NAMED)
}

/** The shown reason of a pair: a judge's reason unchanged, else what the two texts share. */
export const reasonOfPair = (
  stored: string,
  {
    one,
    other,
    isCommon,
  }: { readonly one: string; readonly other: string; readonly isCommon: (word: string) => boolean },
): string => {
  if (!UNJUDGED.includes(stored)) return stored
  const words = sharedWords(one, other, isCommon)
  if (words.length > 0) return `In both: ${words.join(', ')}.`
  return stored === BY_WORDS ? BY_COMMON_WORDS : BY_MEANING
}
