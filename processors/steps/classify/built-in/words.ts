/** A word of a text, folded, and whether a sentence starts with it. */
export interface Word {
  readonly text: string
  readonly opens: boolean
}

const WORD = /[\p{L}\p{N}\p{M}]+/gu
/** Accents, the vowel signs and the hamza of Arabic, and the stroke that stretches its words: many leave them out. */
const MARKS = /[\u0300-\u036f\u0640\u064b-\u065f\u0670\u093c]/g
/** Letters that Unicode does not take apart, and that people leave out on foreign keyboards. */
const LETTERS: Readonly<Record<string, string>> = {
  ł: 'l',
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ı: 'i',
  ى: 'ي',
  ة: 'ه',
}
/** Such a text has nothing to fold but case, and most of a text's words follow a space: both are the quick way. */
const ASCII = /^\p{ASCII}*$/u
const SENTENCE_END = /[.!?\n:;"“”«»¿¡()[\]。！？؟؛।]/

/** The words of a text without case, accents and signs: "Je n’arrive pas" is je, n, arrive, pas. */
export const wordsOf = (text: string): readonly Word[] => {
  const lower = text.toLowerCase()
  const folded = ASCII.test(lower)
    ? lower
    : lower
        .normalize('NFKD')
        .replace(MARKS, '')
        .replace(/[łßøæœđıىة]/g, letter => LETTERS[letter] ?? letter)
  const words: Word[] = []
  let end = 0
  for (const match of folded.matchAll(WORD)) {
    const between = folded.slice(end, match.index)
    words.push({ text: match[0], opens: words.length === 0 || (between !== ' ' && SENTENCE_END.test(between)) })
    end = match.index + match[0].length
  }
  return words
}
