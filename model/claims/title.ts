const SENTENCES = new Intl.Segmenter(undefined, { granularity: 'sentence' })
const WORDS = new Intl.Segmenter(undefined, { granularity: 'word' })
const READ_LENGTH = 1_000
const MAX_TITLE_LENGTH = 120
const MAX_STATEMENT_LENGTH = 1_000
/** Fewer words than this are a greeting more often than a subject. */
const LEAST_WORDS = 3

/** A claim's title: the first sentence that says something, on one line, cut after a word when it is longer than 120 characters. */
export const titleOf = (text: string): string => {
  const sentences = Array.from(SENTENCES.segment(text.slice(0, READ_LENGTH).toWellFormed()), ({ segment }) =>
    segment.replace(/\s+/gu, ' ').trim(),
  ).filter(sentence => sentence !== '')
  return cutAfterWord(sentences.find(hasSubstance) ?? sentences.join(' '), MAX_TITLE_LENGTH)
}

/** A claim's statement: the text that started it, cut after a word when it is longer than 1,000 characters. */
export const statementOf = (text: string): string => cutAfterWord(text, MAX_STATEMENT_LENGTH)

const hasSubstance = (sentence: string): boolean => {
  let words = 0
  for (const { isWordLike } of WORDS.segment(sentence)) {
    if (isWordLike) words += 1
    if (words === LEAST_WORDS) return true
  }
  return false
}

/** At most `limit` UTF-16 units, of which the last is an ellipsis when something was cut. */
const cutAfterWord = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  let end = 0
  for (const { index, segment, isWordLike } of WORDS.segment(text.slice(0, limit))) {
    const next = index + segment.length
    // What reaches the edge may be the beginning of a longer word.
    if (isWordLike && next < limit) end = next
  }
  return `${text.slice(0, end === 0 ? limit - 1 : end).toWellFormed()}…`
}
