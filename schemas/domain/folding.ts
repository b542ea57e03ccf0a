/** Accents, which people leave out. */
const LATIN_MARKS = /[\u0300-\u036f]/g
/** Letters that Unicode does not decompose, as people write them who lack them on the keyboard. */
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
  // Sami, Azerbaijani, and languages of West Africa.
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
 * A text without case and accents, for comparing the words of texts and queries; the app marks found words by the same
 * rule. Compatible forms are replaced first. Hangul and kana are composed again, since character pairs must be of whole
 * characters.
 */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(LATIN_MARKS, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(WITHOUT_DECOMPOSITION, letter => LETTERS[letter] ?? letter)
