import { occurrences } from './detectors/detector.ts'
import { areRows } from './table-rows.ts'

/** A line break inside of a possible number or address, or between a number and its introduction. */
export interface LineBreak {
  /** End of the first line, without the characters that are left out. */
  readonly start: number
  /** Beginning of the second line's text, behind its marks. */
  readonly end: number
  /** True when quoted-printable broke a full line anywhere (RFC 2045, 6.7). */
  readonly isQuotedPrintable: boolean
  /** True when the next word did not fit on the line, as in a mail of about 60 to 100 columns. */
  readonly isSoft: boolean
  /** True when the break may be inside of a group, without a space. */
  readonly mayGlue: boolean
  /** True when both lines look like rows of a table, or begin alike, as lines of a log do. */
  readonly isBetweenRows: boolean
  /** True when neither line has a word. */
  readonly isBetweenNumbers: boolean
}

/** Line ends of texts and of markup. */
const LINE_END = /\r\n?|[\n\v\f\u0085\u2028\u2029]|<[bB][rR] ?\/?>/g
/** Marks of quotations and lists at the beginning of a line. A plus belongs to a phone number. */
const LINE_MARKS = /(?:[ \t]|[>|│┃*•·‣▪»#]|[-–](?= )|\/\/){0,24}/y
/** A numbered point of a list, a date or a time: the line begins something new. */
const NUMBERED = /^\d{1,3}[.)]$/
const DATED = /^(?:(?:19|20)\d\d[-/.]\d\d|(?:19|20)\d\d[01]\d[0-3]\d(?!\d)|\d\d?[-/.]\d\d?[-/.]\d{2,4}\b|\d\d?:\d\d)/
/** Letters at the beginning or the end of an account or identity number. */
const LETTERS_OF_NUMBER = /^[A-Z]{1,6}[).,;]?$/
const LETTER_OR_DIGIT = /[\p{L}\d]/u
/** True when a text ends in an address whose domain has no dot yet, or ends with a dot. */
const endsInBrokenAddress = (text: string): boolean => {
  const sign = text.lastIndexOf('@')
  const domain = text.slice(sign + 1)
  if (!LETTER_OR_DIGIT.test(text[sign - 1] ?? '') || /\s/.test(domain)) return false
  return !domain.includes('.') || domain.endsWith('.') || domain.endsWith('-')
}
/** The domain continues with its next label, or with the dot before it. */
const DOMAIN_GOES_ON = /^\.?[\p{L}\d]/u
/** Signs and dots of an address that is spelled in words. The English "at" is left out, because its dot follows. */
const SPELLED: ReadonlySet<string> = new Set([
  ...['dot', 'punkt', 'punto', 'point', 'ponto', 'punt', 'kropka', 'точка'],
  ...['arroba', 'arobase', 'chiocciola', 'apenstaartje', 'małpa', 'klammeraffe', 'собака'],
])
/** Words behind a break that may end a spelled address: `at example dot`. */
const SPELLED_WORDS = 3
/** Fewest digits of a number that the detectors look for: an insurance number has six beside its letters. */
const LEAST_DIGITS = 6
/** Shortest token of letters and digits with a checksum. */
const LEAST_TOKEN = 26
const TOKEN_REACH = 48
const NUMBER_REACH = 64
const LINE_REACH = 200
/** Line widths of wrapped mails. */
const WIDTH = { least: 58, most: 100 }

/** Facts of the whole text that exclude most line breaks at once. */
interface Holds {
  readonly digits: boolean
  readonly sign: boolean
}

/**
 * Line breaks of a text inside of a possible number or address, or between a number and the words that introduce it.
 * Each looks at a bounded part of its two lines, so the whole is linear.
 */
export const lineBreaks = (text: string): readonly LineBreak[] => {
  if (!MAY_BREAK.test(text)) return []
  const holds = { digits: MAY_HOLD_NUMBER.test(text), sign: text.includes('@') }
  const found: LineBreak[] = []
  let begin = 0
  for (const { 0: lineEnd, index } of occurrences(LINE_END, text)) {
    const between = lineBreakAt(text, { begin, end: index, next: index + lineEnd.length }, holds)
    if (between !== null) found.push(between)
    begin = index + lineEnd.length
  }
  return found
}

/** Bounds of a line, and the beginning of the next. */
interface Line {
  readonly begin: number
  readonly end: number
  readonly next: number
}

const MAY_BREAK = /[\n\r\v\f\u0085\u2028\u2029]|<br/i
const MAY_HOLD_NUMBER = /\d\D{0,3}\d\D{0,3}\d/

const lineBreakAt = (text: string, line: Line, holds: Holds): LineBreak | null => {
  const isQuotedPrintable = text[line.end - 1] === '='
  const written = isQuotedPrintable ? line.end - 1 : line.end
  const start = isQuotedPrintable ? written : beforeBlanks(text, written)
  LINE_MARKS.lastIndex = line.next
  const end = isQuotedPrintable ? line.next : line.next + (LINE_MARKS.exec(text)?.[0].length ?? 0)
  const [last, first] = [beforeBlanks(text, start), behindBlanks(text, end)]
  if (last === 0 || isSpace(text.charCodeAt(last - 1)) || first >= text.length || isSpace(text.charCodeAt(first)))
    return null
  const width = line.end - line.begin
  const isFull = width <= WIDTH.most && width + 1 + tokenEnd(text, first) - first > WIDTH.least
  const isSoft = isQuotedPrintable || isFull
  const isWithin = isQuotedPrintable ? mayBeOneWord(text, last, first) : mayBeOne(text, last, first, holds)
  if (!isWithin && !(isSoft && mayBeIntroduced(text, last, first, holds))) return null
  const found = { start, end, isQuotedPrintable, isSoft, mayGlue: false, isBetweenRows: false, isBetweenNumbers: false }
  if (isQuotedPrintable) return found
  const [before, after] = [lastToken(text, last), firstToken(text, first)]
  if (DATED.test(after) || (!isSoft && NUMBERED.test(after))) return null
  const begin = Math.max(line.begin, line.end - LINE_REACH)
  const one = withoutMarks(text.slice(begin, line.end))
  const other = lineFrom(text, end)
  const isBetweenRows = areRows(one, other)
  if (!isWithin && isBetweenRows) return null
  const isBetweenNumbers = !HAS_WORD.test(one) && !HAS_WORD.test(other)
  if (isBetweenNumbers && isColumn(text, begin, end + other.length)) return null
  return {
    ...found,
    isBetweenRows,
    isBetweenNumbers,
    mayGlue: written === start && (before.lastIndexOf('@') > 0 || HALVES.test(`${before} ${after}`)),
  }
}

/**
 * Two halves of a word that is broken without a sign: three digits and more on both lines with nothing attached, or
 * letters and digits.
 */
const HALVES = /^(?:\(?\d{3,} \d{3,}|(?!\d+ \d)[A-Za-z\d]{2,} [A-Za-z\d]{2,})[).,;:!?]*$/

const mayBeOneWord = (text: string, last: number, first: number): boolean =>
  /[\d@]/.test(lastToken(text, last) + firstToken(text, first))

/** True when both sides of a break have enough digits together, or the halves of an address or of a long token. */
const mayBeOne = (text: string, last: number, first: number, { digits, sign }: Holds): boolean => {
  if (digits) {
    const before = digitsAt(text, last - 1, -1)
    const after = digitsAt(text, first, 1)
    if (before + after >= LEAST_DIGITS) {
      if (before > 0 && after > 0) return true
      if (LETTERS_OF_NUMBER.test(before > 0 ? firstToken(text, first) : lastToken(text, last))) return true
    }
  }
  if (sign && text[first] === '@') return true
  const begin = tokenBegin(text, last)
  if (sign && endsInBrokenAddress(text.slice(begin, last)) && DOMAIN_GOES_ON.test(text.slice(first, first + 2)))
    return true
  const end = tokenEnd(text, first)
  if (last - begin + end - first < LEAST_TOKEN) return false
  const halves = `${text.slice(begin, last)} ${text.slice(first, end)}`
  return /\d/.test(halves) && !halves.includes('@') && HALVES.test(halves)
}

/** Characters of numbers by code: 2 for digits, 1 for capitals, hexadecimal letters and signs. */
const IN_NUMBER = Uint8Array.from({ length: 128 }, (_, unit) => {
  const sign = String.fromCharCode(unit)
  return /\d/.test(sign) ? 2 : /[A-Za-f .\-/()+:]/.test(sign) ? 1 : 0
})

/** Number of digits in a row of digits, capitals, hexadecimal letters and signs, from a position in one direction. */
const digitsAt = (text: string, from: number, direction: 1 | -1): number => {
  let digits = 0
  for (let place = from, steps = 0; steps < TOKEN_REACH; place += direction, steps += 1) {
    const part = IN_NUMBER[text.charCodeAt(place)] ?? 0
    if (part === 0) break
    if (part === 2) digits += 1
  }
  return digits
}

/** True when a number begins near a position, so that words on the line before may introduce it. Times are excluded. */
const isNumberNear = (text: string, from: number): boolean => {
  let digits = 0
  let gap = 0
  for (let place = from; place < from + NUMBER_REACH && digits < LEAST_DIGITS; place += 1) {
    const unit = text.charCodeAt(place)
    if (unit >= 0x30 && unit <= 0x39) {
      digits += 1
      gap = 0
    } else {
      gap += 1
      if (gap > MAX_GAP || unit === COLON) digits = 0
    }
  }
  return digits >= LEAST_DIGITS
}
const MAX_GAP = 2
const COLON = 0x3a

const mayBeIntroduced = (text: string, last: number, first: number, { digits }: Holds): boolean =>
  (digits && isNumberNear(text, first)) ||
  SPELLED.has(lastToken(text, last)) ||
  text
    .slice(first, first + TOKEN_REACH)
    .split(' ', SPELLED_WORDS)
    .some(word => SPELLED.has(word))

const beforeBlanks = (text: string, position: number): number => {
  let start = position
  while (isBlank(text.charCodeAt(start - 1))) start -= 1
  return start
}

const behindBlanks = (text: string, position: number): number => {
  let end = position
  while (isBlank(text.charCodeAt(end))) end += 1
  return end
}

const isBlank = (unit: number): boolean => unit === 0x20 || unit === 0x09

const tokenBegin = (text: string, end: number): number => {
  const least = Math.max(0, end - TOKEN_REACH)
  let begin = end
  while (begin > least && !isSpace(text.charCodeAt(begin - 1))) begin -= 1
  return begin
}

const tokenEnd = (text: string, start: number): number => {
  const most = Math.min(text.length, start + TOKEN_REACH)
  let end = start
  while (end < most && !isSpace(text.charCodeAt(end))) end += 1
  return end
}

const lastToken = (text: string, end: number): string => text.slice(tokenBegin(text, end), end)
const firstToken = (text: string, start: number): string => text.slice(start, tokenEnd(text, start))

const isSpace = (unit: number): boolean => unit <= 0x20 || unit === 0x85 || unit === 0x2028 || unit === 0x2029

const isLineEnd = (unit: number): boolean => unit >= 0x0a && unit <= 0x0d

const lineStart = (text: string, end: number): number => {
  const least = Math.max(0, end - LINE_REACH)
  let start = end
  while (start > least && !isLineEnd(text.charCodeAt(start - 1))) start -= 1
  return start
}

const lineFrom = (text: string, start: number): string => {
  const most = Math.min(text.length, start + LINE_REACH)
  let end = start
  while (end < most && !isLineEnd(text.charCodeAt(end))) end += 1
  return text.slice(start, end)
}

const withoutMarks = (line: string): string => {
  LINE_MARKS.lastIndex = 0
  return line.slice(LINE_MARKS.exec(line)?.[0].length ?? 0).trimEnd()
}

const HAS_WORD = /\p{L}{2}/u

/** True when a third line of numbers is before or behind: numbers in a column do not continue each other. */
const isColumn = (text: string, start: number, end: number): boolean => {
  const next = lineFrom(text, text.startsWith('\r\n', end) ? end + 2 : end + 1)
  const behind = text.startsWith('\r\n', start - 2) ? start - 2 : start - 1
  const previous = start === 0 ? '' : withoutMarks(text.slice(lineStart(text, behind), behind))
  return [next, previous].some(line => /\d/.test(line) && !HAS_WORD.test(line))
}
