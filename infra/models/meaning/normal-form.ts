/** The first character of a piece that starts a word. */
export const WORD_START = '\u2581'

/** A report names its subject within this length. Compatible forms make some characters eighteen times as long. */
const READ_CHARACTERS = 4_096

/**
 * A text in the form of its pieces: compatible forms, lower case, a mark before each word. Empty for a text of white
 * space.
 */
export const normalForm = (text: string): string => {
  const folded = text.slice(0, READ_CHARACTERS).normalize('NFKC').slice(0, READ_CHARACTERS)
  const words = folded.toLowerCase().trim()
  return words === '' ? '' : `${WORD_START}${words.replace(/\s+/g, WORD_START)}`
}
