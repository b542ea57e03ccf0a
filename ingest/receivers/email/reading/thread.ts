import EmailReplyParser from 'email-reply-parser'
import { isBlank, isOriginalSeparator, isQuoted, isRule, joinLines, readHeaderBlock, unquote } from './quoting.ts'

/** The line above a quote may be wrapped over so many. */
const MAX_LINES = 4
const MAX_LENGTH = 400

/** `wrote:` in the languages that mail programs speak, at the end of the line. */
const WROTE_AT_END = [
  /(?<!\p{L})(wrote|écrit|escribió|ha scritto|escreveu|kirjoitti|napsal\(?a?\)?|a scris|írta|yazdı|έγραψε)\s?[:：]$/iu,
  /(写道|寫道|のメッセージ|님이 작성|작성|wrote|さん(?:から|は書きました))\s?[:：]$/u,
]
/** The same before a name at its end. */
const WROTE_BEFORE_NAME =
  /(?<!\p{L})(schrieb|schreef|skrev|napisał\(?a?\)?|pisze|ezt írta|следующее|написал\(?а?\)?|пишет|пише|написав\(?ла\)?)(?!\p{L})/iu
const MAX_NAME_LENGTH = 200
/** Some languages need no verb: `вт, 4 мар. 2025 г. в 10:12, Имя <address>:` */
const ADDRESS_AT_END = /<[^<>\s@]{1,254}@[^<>\s@]{1,254}>\s?[:：]$/u

/** Whether the text, which ends with a colon, says that somebody wrote what follows. */
const saysWho = (text: string): boolean => {
  const address = ADDRESS_AT_END.exec(text)
  return (
    WROTE_AT_END.some(wrote => wrote.test(text)) ||
    WROTE_BEFORE_NAME.test(text.slice(-MAX_NAME_LENGTH)) ||
    (address !== null && /\d/.test(text.slice(0, address.index)))
  )
}

/** An attribution says when, or whose address it was: without that it is a sentence of the author's. */
const WHEN_OR_WHO = /\d{1,2}[:.h時]\d\d|\b\d{4}\b|\d{4}年|\S@\S/u

/**
 * How many lines from this one on say who wrote what follows, as in `On <date>, <name> wrote:`; 0 when it does not
 * begin here.
 */
const attributionLength = (lines: readonly string[], start: number): number => {
  let text = ''
  for (let length = 1; length <= MAX_LINES && start + length <= lines.length; length++) {
    const line = unquote(lines[start + length - 1] ?? '').trim()
    if (line === '') return 0
    text = `${text} ${line}`.trim()
    if (text.length > MAX_LENGTH) return 0
    if (/[:：]$/.test(line) && WHEN_OR_WHO.test(text) && saysWho(text)) return length
  }
  return 0
}

/** A mail's text apart: what its author wrote this time, and what it quotes of the thread. */
interface Thread {
  readonly newest: string
  readonly quoted: string
}

/**
 * Parts a text where mail programs do: lines marked with `>` are quoted wherever they stand, with the line above them
 * that says whose they are; behind Outlook's headers, or a line that announces the original mail, everything is. A text
 * that is nothing but quotes is its author's all the same: somebody sent it.
 */
export const readThread = (text: string): Thread => {
  const lines = text.split('\n')
  const newest: string[] = []
  const quoted: string[] = []
  let index = 0
  while (index < lines.length) {
    const line = lines[index] ?? ''
    if (isRestQuoted(lines, index)) {
      for (const line of lines.slice(index)) quoted.push(line)
      dropRules(newest)
      break
    }
    const attribution = isQuoted(line) ? 0 : attributionLength(lines, index)
    if (attribution > 0) {
      const next = index + attribution
      if (!isFollowedByQuote(lines, next)) {
        // Some programs quote without marks: whose lines are whose cannot be told from here on.
        for (const line of lines.slice(index)) quoted.push(line)
        break
      }
      for (const line of lines.slice(index, next)) quoted.push(line)
      index = next
    } else {
      if (isQuoted(line)) quoted.push(line)
      else newest.push(line)
      index++
    }
  }
  const own = withoutSignature(joinLines(newest))
  if (own === '') return { newest: joinLines(lines.map(unquote)), quoted: '' }
  return { newest: own, quoted: joinLines(quoted.map(unquote)) }
}

const isRestQuoted = (lines: readonly string[], index: number): boolean => {
  const line = lines[index] ?? ''
  if (isQuoted(line)) return false
  if (isOriginalSeparator(line)) return true
  const start = isRule(line) ? index + 1 : index
  return readHeaderBlock(lines, start) !== null
}

/** A program's rule above what it quotes. */
const dropRules = (lines: string[]) => {
  while (lines.length > 0 && (isRule(lines.at(-1) ?? '') || isBlank(lines.at(-1) ?? ''))) lines.pop()
}

const isFollowedByQuote = (lines: readonly string[], start: number): boolean => {
  const next = lines.slice(start, start + 3).find(line => !isBlank(line))
  return next !== undefined && isQuoted(next)
}

/** A signature is short: a line of dashes in the middle of a long text is a rule of the author's. */
const MAX_SIGNATURE_LINES = 20
/** The parser's patterns take time that grows with the square of what they look at, and more. */
const MAX_LINE_LENGTH = 200

/**
 * The text without the signature at its end, which carries contact data and says nothing. email-reply-parser knows
 * signatures in many languages; it is shown the end of the text only, and believed only while something is left.
 */
const withoutSignature = (text: string): string => {
  const lines = text.split('\n')
  const dashes = lines.findLastIndex(line => /^--\s?$/.test(line))
  const cut = dashes > 0 && lines.length - dashes <= MAX_SIGNATURE_LINES ? lines.slice(0, dashes) : lines
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
  return Math.max(long + 1, lines.findLastIndex(line => !isBlank(line)) + 1 - MAX_SIGNATURE_LINES, 0)
}
