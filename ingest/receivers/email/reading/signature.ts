import EmailReplyParser from 'email-reply-parser'
import { isBlank, joinLines } from './lines.ts'

/** A signature is short: a line of dashes in the middle of a long text is a rule of the author's. */
const MAX_LINES = 20
/** The parser's patterns take time that grows with the square of what they look at, and more. */
const MAX_LINE_LENGTH = 200

/**
 * The text without the signature at its end, which carries contact data and says nothing. email-reply-parser knows signatures in many
 * languages; it is shown the end of the text only, and believed only while something is left.
 */
export const withoutSignature = (text: string): string => {
  const lines = text.split('\n')
  const dashes = lines.findLastIndex(line => /^--\s?$/.test(line))
  const cut = dashes > 0 && lines.length - dashes <= MAX_LINES ? lines.slice(0, dashes) : lines
  const tail = cut.slice(tailStart(cut))
  const head = cut.slice(0, cut.length - tail.length)
  const seen = new EmailReplyParser().read(tail.join('\n'))
  const kept = seen
    .getFragments()
    .filter(fragment => !fragment.isSignature())
    .map(fragment => fragment.getContent())
  const unsigned = joinLines([...head, ...kept.join('\n').split('\n')])
  return unsigned === '' ? joinLines(cut) : unsigned
}

/** Where the last lines begin that the parser may look at. */
const tailStart = (lines: readonly string[]): number => {
  const long = lines.findLastIndex(line => line.length > MAX_LINE_LENGTH)
  return Math.max(long + 1, lines.findLastIndex(line => !isBlank(line)) + 1 - MAX_LINES, 0)
}
