import { ADDRESSED, CLOSINGS, FILLERS, GREETINGS, SIGN_OFFS } from '../../../model/duplicates/wording/small-words.ts'
import type { HeldTexts } from '../../../model/search/search-texts.ts'
import { folded } from '../../../schemas/domain/folding.ts'
import { inWholeWords } from './filters.ts'

const SMALL = [FILLERS, GREETINGS, SIGN_OFFS, ADDRESSED, CLOSINGS]
/** Fewer texts do not show which words are common. */
const LEAST_TEXTS = 20
/** A word in a greater share of the texts is common. */
const MAX_SHARE = 0.1
/** A word in this many texts is common, whatever the share. */
const MANY = 1_000

/**
 * True for a word that tells nothing about a signal: a polite phrase, a greeting, or a word of many signals in the
 * workspace.
 */
export const commonWordsOf = (held: HeldTexts): ((word: string) => boolean) => {
  const known = new Map<string, boolean>()
  const many = Math.min(MANY, Math.max(3, Math.ceil(held.texts * MAX_SHARE)))
  const isCommon = (word: string): boolean => {
    const small = folded(word)
    if (SMALL.some(words => words.has(small))) return true
    if (held.texts < LEAST_TEXTS) return false
    return held.having(inWholeWords(word), 'signal', many + 1, 'as written').length > many
  }
  return word => {
    const before = known.get(word)
    if (before !== undefined) return before
    const found = isCommon(word)
    known.set(word, found)
    return found
  }
}
