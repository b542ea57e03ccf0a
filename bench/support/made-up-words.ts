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

/** The same sequence every time: what is measured must not depend on luck. Park and Miller's generator, up to 2^31 - 2. */
export const numbers = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state * 48_271) % MODULUS
    return state
  }
}

/** Above every number of the sequence. */
export const MODULUS = 2_147_483_647

/** A word of two to four syllables. */
export const madeUpWord = (next: () => number): string =>
  Array.from({ length: 2 + (next() % 3) }, () => SYLLABLES[next() % SYLLABLES.length] ?? '').join('')
