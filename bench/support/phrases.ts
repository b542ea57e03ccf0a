const SYLLABLES = [
  'ba',
  'cor',
  'del',
  'fin',
  'gra',
  'hol',
  'in',
  'jun',
  'kel',
  'lor',
  'mar',
  'nov',
  'os',
  'per',
  'qui',
  'ras',
  'sten',
  'tor',
  'ul',
  'ven',
  'wes',
  'yar',
  'zen',
  'cha',
  'dri',
  'flo',
]
const PHRASES = 4_000
const WORDS_A_PHRASE = 16

/** The same sequence every time: what is measured must not depend on luck. Park and Miller's generator. */
const numbers = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state
  }
}

/**
 * Phrases of made-up words, always the same. Texts of a few of them share little, so that the benchmark measures signals that are
 * inserted, not repeats that dedup skips.
 */
export const phrases = (): readonly string[] => {
  const next = numbers(1)
  const syllable = () => SYLLABLES[next() % SYLLABLES.length] ?? ''
  const word = () => Array.from({ length: 2 + (next() % 3) }, syllable).join('')
  return Array.from({ length: PHRASES }, () => Array.from({ length: WORDS_A_PHRASE }, word).join(' '))
}
