/** Accents, which people leave out. */
const LATIN_MARKS = /[\u0300-\u036f]/g
/** Letters that no decomposition of Unicode takes apart, as people write them who have not got them. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  // Of the Sami, Azerbaijani, and languages of West Africa.
  ŋ: 'n',
  ǥ: 'g',
  ʒ: 'z',
  ə: 'e',
  ɓ: 'b',
  ɖ: 'd',
  ɗ: 'd',
  ɛ: 'e',
  ƒ: 'f',
  ɣ: 'g',
  ƙ: 'k',
  ɲ: 'n',
  ɔ: 'o',
  ʋ: 'v',
  ƴ: 'y',
}
const WITHOUT_DECOMPOSITION = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')

/**
 * A text without case and accents, as words of texts and of queries are compared: what the search finds is marked by
 * the same. Compatible forms first. What is left of Hangul and kana is put together again: pairs are of whole
 * characters.
 */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(LATIN_MARKS, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(WITHOUT_DECOMPOSITION, letter => LETTERS[letter] ?? letter)
