import { isAscii } from '../../../../infra/word-index/terms.ts'

/** A folded word of a text; `opens` when a sentence starts with it. */
export interface Word {
  readonly text: string
  readonly opens: boolean
}

const WORD = /[\p{L}\p{N}\p{M}]+/uy
const BETWEEN = /[^\p{L}\p{N}\p{M}]*/uy
/** Accents, and in Arabic the vowel signs, the hamza and the tatweel. Many writers omit them. */
const MARKS = /[\u0300-\u036f\u0640\u064b-\u065f\u0670\u093c]/g
/** Letters that Unicode does not decompose. People replace them on foreign keyboards. */
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
  // ASCII needs no folding but case, and most words follow a space: both are fast paths.
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

/** End of a pattern's match at a position. A match object takes several times the memory of its word. */
const endOf = (sticky: RegExp, text: string, at: number): number => {
  sticky.lastIndex = at
  sticky.test(text)
  return sticky.lastIndex
}
