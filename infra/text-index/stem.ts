const LEAST = 4
const VOWEL = /[aeiouy]/
const DOUBLED = /([b-df-hjkmnpqrtvwxz])\1$/
const LATIN = /^[a-z]+$/

/** What a word is without its ending, where what is left still says something. */
const without = (word: string, ending: string, least: number): string | null => {
  if (!word.endsWith(ending)) return null
  const rest = word.slice(0, -ending.length)
  return rest.length >= least && VOWEL.test(rest) ? rest : null
}

const singular = (word: string): string => {
  if (!word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word
  return word.endsWith('ies') && word.length > LEAST ? `${word.slice(0, -3)}y` : word.slice(0, -1)
}

/**
 * What the forms of a word share: `exports`, `exported` and `exporting` are forms of `export`. Light, for words of Latin letters alone, by the
 * endings that English, the Romance languages and German add to a noun or a verb; it need not be a word itself.
 */
export const stemOf = (word: string): string => {
  if (word.length < LEAST || !LATIN.test(word)) return word
  const one = singular(word)
  const bare = without(one, 'ing', 3) ?? without(one, 'ed', 3) ?? without(one, 'en', LEAST) ?? one
  const undoubled = bare === one ? bare : bare.replace(DOUBLED, '$1')
  // `update` and `updating`, `crash` and `crashes`; `query` and `queries` are one by `singular`.
  return undoubled.length >= LEAST && undoubled.endsWith('e') ? undoubled.slice(0, -1) : undoubled
}
