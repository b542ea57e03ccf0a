/**
 * A piece of a text that may recur: a line or a sentence. A line such as `Version: 2.1` is two pieces, its label and
 * its value; so is "Today I write to you about the following: the pump stops", of which a template has the first.
 */
export interface Passage {
  readonly text: string
  /** True for a label, which the next piece follows on the same line. */
  readonly isLabel?: true
  /** Equal for pieces that differ in case, digits, spaces or surrounding signs. */
  readonly key: string
}

/** Characters of a text that themes read. */
export const READ_CHARACTERS = 4_000
const MAX_PASSAGES = 80
/** The end of a line, or of a sentence with its punctuation. */
const ENDS = /[\r\n]+|(?<=[.!?])\s+|(?<=[。！？])/u
const LABEL = /^([^:：]{2,120}[:：])\s*(\S.*)$/u
const MAX_WORDS_OF_LABEL = 16
/** A time such as `23:00`, or a ratio, is no label and its value. */
const ENDS_IN_DIGIT = /\p{N}\s*[:：]$/u
const BEGINS_WITH_DIGIT = /^\p{N}/u
const NO_LETTERS = /[^\p{L}\p{M}\p{N}]+/gu
const DIGITS = /\p{N}+/gu

const keyOf = (text: string): string => text.toLowerCase().replace(NO_LETTERS, ' ').replace(DIGITS, '0').trim()

const isLabel = (label: string, value: string): boolean =>
  label.trim().split(/\s+/, MAX_WORDS_OF_LABEL + 1).length <= MAX_WORDS_OF_LABEL &&
  !(ENDS_IN_DIGIT.test(label) && BEGINS_WITH_DIGIT.test(value))

/** A label stays on the line of what it labels. */
export const joinPassages = (passages: readonly Passage[]): string =>
  passages
    .map(({ text, isLabel }) => text + (isLabel ? ' ' : '\n'))
    .join('')
    .trimEnd()

/** In the order of the text, up to its first 4,000 characters. */
export const passagesOf = (text: string): readonly Passage[] => {
  const passages: Passage[] = []
  const add = (piece: string, label: { readonly isLabel?: true } = {}): void => {
    const key = keyOf(piece)
    if (key !== '') passages.push({ text: piece, key, ...label })
  }
  for (const piece of text.slice(0, READ_CHARACTERS).toWellFormed().split(ENDS, MAX_PASSAGES)) {
    const [, label, value] = LABEL.exec(piece.trim()) ?? []
    if (label === undefined || value === undefined || !isLabel(label, value)) add(piece.trim())
    else {
      add(label, { isLabel: true })
      add(value)
    }
  }
  return passages
}
