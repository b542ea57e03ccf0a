const WORD = /[\p{L}\p{N}\p{M}]+/gu
/** Accents, which people leave out. */
const LATIN_MARKS = /[\u0300-\u036f]/g
const ASCII = /^[\0-\x7f]*$/
/** Scripts that write words without spaces between them. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/**
 * The words of a text in their order, without case and accents. Of a script that writes no spaces, each pair of neighbouring characters.
 */
export const wordsOf = (text: string): readonly string[] => {
  if (ASCII.test(text)) return text.toLowerCase().match(WORD) ?? []
  // Compatible forms first; what is left of Hangul and kana is put together again, since pairs are of whole characters.
  const folded = text.normalize('NFKD').replace(LATIN_MARKS, '').normalize('NFC').toLowerCase()
  return (folded.match(WORD) ?? []).flatMap(word => (UNSPACED.test(word) ? pairsOf(word) : [word]))
}

const pairsOf = (word: string): readonly string[] => {
  const characters = Array.from(word)
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}
