/**
 * The pieces of a text that can recur: its lines and sentences, and of a line such as `Version: 2.1` the label, whose
 * value is another piece.
 */
export interface Passage {
  readonly text: string
  /** The same for what differs in case, digits, spaces or the signs around it. */
  readonly key: string
}

const READ_CHARACTERS = 4_000
const MAX_PASSAGES = 80
/** The end of a line, or of a sentence with what ends it. */
const ENDS = /[\r\n]+|(?<=[.!?])\s+|(?<=[。！？])/u
const LABEL = /^([^:：]{2,40}[:：])\s*(\S.*)$/u
const NO_LETTERS = /[^\p{L}\p{M}\p{N}]+/gu
const DIGITS = /\p{N}+/gu

const keyOf = (text: string): string => text.toLowerCase().replace(NO_LETTERS, ' ').replace(DIGITS, '0').trim()

/** In the order of the text. What is behind the first 4,000 characters is left out. */
export const passagesOf = (text: string): readonly Passage[] => {
  const passages: Passage[] = []
  const add = (piece: string): void => {
    const key = keyOf(piece)
    if (key !== '') passages.push({ text: piece, key })
  }
  for (const piece of text.slice(0, READ_CHARACTERS).toWellFormed().split(ENDS, MAX_PASSAGES)) {
    const [, label, value] = LABEL.exec(piece.trim()) ?? []
    if (label === undefined || value === undefined) add(piece.trim())
    else {
      add(label)
      add(value)
    }
  }
  return passages
}
