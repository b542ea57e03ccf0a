import { stemOf } from '../text-index/stem.ts'

const WORD = /[\p{L}\p{N}\p{M}]+/gu
/** Accents, which people leave out. */
const LATIN_MARKS = /[\u0300-\u036f]/g
const ASCII = /^[\0-\x7f]*$/
/** Scripts that write words without spaces between them. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** A name put together of words, such as `TableViewRow`, `iPhone` or `HTTPServer`. */
const COMPOUND = /[a-z][A-Z]|[A-Z]{2}[a-z]/
const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g
const LEAST_PART = 2

/**
 * The words of a text in their order, without case, accents and the endings of their forms. Of a name that is put together its parts follow. Of a
 * script that writes no spaces, each pair of neighbouring characters.
 */
export const wordsOf = (text: string): readonly string[] => {
  if (ASCII.test(text)) return (text.match(WORD) ?? []).flatMap(formsOf)
  // Compatible forms first; what is left of Hangul and kana is put together again, since pairs are of whole characters.
  const folded = text.normalize('NFKD').replace(LATIN_MARKS, '').normalize('NFC')
  return (folded.match(WORD) ?? []).flatMap(word => (UNSPACED.test(word) ? pairsOf(word.toLowerCase()) : formsOf(word)))
}

const formsOf = (word: string): string | readonly string[] => {
  const whole = stemOf(word.toLowerCase())
  if (!COMPOUND.test(word)) return whole
  const parts = word.match(PART) ?? []
  return [whole, ...parts.filter(part => part.length >= LEAST_PART).map(part => stemOf(part.toLowerCase()))]
}

const pairsOf = (word: string): readonly string[] => {
  const characters = Array.from(word)
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}
