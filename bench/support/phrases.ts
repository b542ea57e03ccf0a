import { madeUpWord, numbers } from './made-up-words.ts'

const PHRASES = 4_000
const WORDS_A_PHRASE = 16

/**
 * Phrases of made-up words, always the same. Texts of a few of them share little, so that the benchmark measures signals that are
 * inserted, not repeats that dedup skips.
 */
export const phrases = (): readonly string[] => {
  const next = numbers(1)
  return Array.from({ length: PHRASES }, () => Array.from({ length: WORDS_A_PHRASE }, () => madeUpWord(next)).join(' '))
}
