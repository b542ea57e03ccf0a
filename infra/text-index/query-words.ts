import { scanWords } from './words.ts'

const MAX_WORDS = 30
const MAX_LETTERS = 60

/** A word of a query as written. */
interface QueryWord {
  readonly word: string
  /** The word with its sign: `.net` for `net`. */
  signed: string | null
  /** The words that a hyphen forms of it and its neighbours. */
  readonly joined: string[]
}

/** The distinct words of a query. */
export const wordsOfQuery = (text: string): readonly Readonly<QueryWord>[] => {
  const found = new Map<string, QueryWord>()
  let last: QueryWord | undefined
  let before: QueryWord | undefined
  scanWords(text, (written, kind) => {
    const word = written.slice(0, MAX_LETTERS)
    if (kind === 'word') {
      before = last
      last = found.get(word) ?? { word, signed: null, joined: [] }
      if (found.size < MAX_WORDS) found.set(word, last)
    } else if (kind === 'signed' && last !== undefined) last.signed = word
    else if (kind === 'joined') for (const part of [before, last]) part?.joined.push(word)
  })
  return [...found.values()]
}
