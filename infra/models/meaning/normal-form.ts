/** A piece that starts a word starts with this. */
export const WORD_START = '\u2581'

/** A report says what it is about by then. Compatible forms make some characters eighteen times as long. */
const READ_CHARACTERS = 4_096

/**
 * A text as its pieces are learned: in compatible forms and lower case, with a mark in front of each word. Empty for a
 * text of spaces alone.
 */
export const normalForm = (text: string): string => {
  const folded = text.slice(0, READ_CHARACTERS).normalize('NFKC').slice(0, READ_CHARACTERS)
  const words = folded.toLowerCase().trim()
  return words === '' ? '' : `${WORD_START}${words.replace(/\s+/g, WORD_START)}`
}
