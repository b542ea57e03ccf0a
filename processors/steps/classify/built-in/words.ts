import { isAscii } from '../../../../infra/word-index/terms.ts'

/** A word of a text, folded, and whether a sentence starts with it. */
export interface Word {
  readonly text: string
  readonly opens: boolean
}

const WORD = /[\p{L}\p{N}\p{M}]+/uy
const BETWEEN = /[^\p{L}\p{N}\p{M}]*/uy
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
const SENTENCE_END = /[.!?\n:;"“”«»¿¡()[\]。！？؟؛।]/

/** The words of a text without case, accents and signs: "Je n’arrive pas" is je, n, arrive, pas. */
export const wordsOf = (text: string): readonly Word[] => {
  const lower = text.toLowerCase()
  // It has nothing to fold but case, and most of a text's words follow a space: both are the quick way.
  const folded = isAscii(lower)
    ? lower
    : lower
        .normalize('NFKD')
        .replace(MARKS, '')
        .replace(/[łßøæœđıىة]/g, letter => LETTERS[letter] ?? letter)
  const words: Word[] = []
  for (let end = 0; ; ) {
    const start = endOf(BETWEEN, folded, end)
    if (start === folded.length) return words
    const between = folded.slice(end, start)
    end = endOf(WORD, folded, start)
    const opens = words.length === 0 || (between !== ' ' && SENTENCE_END.test(between))
    words.push({ text: folded.slice(start, end), opens })
  }
}

/** Where what a pattern finds at a place ends. A match takes several times as much memory as its word. */
const endOf = (sticky: RegExp, text: string, at: number): number => {
  sticky.lastIndex = at
  sticky.test(text)
  return sticky.lastIndex
}
