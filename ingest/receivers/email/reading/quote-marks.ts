import { isBlank, isIndented, isQuoted } from './quoted-lines.ts'

/**
 * What programs put before the lines that they quote, other than `>`: a character, an arrow, or initials (`KL>`). The
 * dash and the star are none: they are people's lists.
 */
const MARK =
  /^[^\S\n]{0,8}(?<mark>[-=|:}]{1,3}>|-\||["\p{L}][\p{L}"-]{0,11}>|\p{Lu}{1,3} >|>|[|:}\])#+%=&<!~$])(?<blank>[^\S\n]|$)?/u
/** The marks that stand for a quote further down in one line, too. Others are code and lists there. */
const EVERYWHERE = /^(?:[|:}\]]|.{0,12}>)$/u
/** What begins as such a mark and is none: a face, a row of a table. */
const OTHER = /^[^\S\n]{0,8}(?::[-'o^]{0,2}[()[\]DPp|/\\]|\|.{0,400}\|[^\S\n]{0,9}$)/u
const MAX_LENGTH = 500

/** The mark that a line begins with; null without one. */
interface QuoteMark {
  readonly mark: string
  /** Whether a blank stands behind it, as behind every one of its kind. */
  readonly isApart: boolean
}

const markOf = (line: string): QuoteMark | null => {
  const { mark, blank } = MARK.exec(line.slice(0, MAX_LENGTH))?.groups ?? {}
  return mark === undefined || OTHER.test(line.slice(0, MAX_LENGTH)) ? null : { mark, isApart: blank !== undefined }
}

/** The marks that a mail is known to quote with. */
export type QuoteMarks = Map<string, QuoteMark>

/** Whether a line has one of the marks, where it may stand: those of code in several lines, or below a quote. */
export const hasQuoteMark = (
  lines: readonly string[],
  index: number,
  marks: QuoteMarks,
  isBelowQuote: boolean,
): boolean => {
  if (marks.size === 0 && !isBelowQuote) return false
  const found = markOf(lines[index] ?? '')
  if (found === null) return false
  // Marked further in than the quote above, by programs that indent what they quote.
  if (found.mark === '>' && isBelowQuote) marks.set('>', found)
  if (!isKnown(found, marks)) return false
  return isBelowQuote || EVERYWHERE.test(found.mark) || markOf(lines[index + 1] ?? '')?.mark === found.mark
}

const isKnown = (found: QuoteMark, marks: QuoteMarks): boolean => {
  const known = marks.get(found.mark)
  return known !== undefined && (found.isApart || !known.isApart)
}

/** Marks that stand before prose in quotes alone; others are before code, lists and numbers, too. */
const OF_PROSE = /^(?:[|:}\]]|[-=|:}]{1,3}>|["\p{L}][\p{L}"-]{0,11}>|\p{Lu}{1,3} >|>)$/u
/** A line of prose that a program filled: five words or more, and hardly anything that code has. */
const PROSE = /^(?:[\p{L}'’-]{2,20}[.,:?!;)]{0,2}\s{1,2}|[\p{L}"(]\s){5,30}/u
/** The line of a box that is drawn around what somebody pastes. */
const BOX = /^\s{0,8}[,.+/`][-=_]{2,}/

/**
 * The marks that stand before prose, in rows. In a mail that is an answer they are of what it answers; initials are
 * where one person alone has them, since a conversation that somebody pastes has several.
 */
export const marksOfProse = (lines: readonly string[]): QuoteMarks => {
  const marks: QuoteMarks = new Map()
  let above: QuoteMark | null = null
  for (const [index, line] of lines.entries()) {
    const found = markOf(line)
    const behind = found === null ? '' : line.slice(line.indexOf(found.mark) + found.mark.length).trimStart()
    const isProse = found !== null && OF_PROSE.test(found.mark) && PROSE.test(behind.slice(0, MAX_LENGTH))
    const isSame = isProse && found.mark === above?.mark
    if (isSame && !BOX.test(lines[index - 2] ?? '')) marks.set(found.mark, found)
    above = isProse ? found : null
  }
  const people = [...marks.keys()].filter(mark => mark.length > 2 && /\p{L}/u.test(mark))
  if (people.length > 1) for (const mark of people) marks.delete(mark)
  return marks
}

/** What somebody writes in place of what they leave out of a quote: their own line, between brackets or dots. */
const LEFT_OUT =
  /^\s{0,9}(?:\.{2,20}(?:[^.]{1,60}\.{2,20})?|…|[[(<{].{0,100}[\])>}]|[<[(*-]{0,3}\s?snip\b.{0,60})\s{0,9}$/iu

/** So many empty lines may stand between, and so many that say that something was left out. */
const MAX_BLANKS = 4
const MAX_LEFT_OUT = 2

/**
 * Whether what is quoted line by line follows an attribution, below a few lines that are empty or say that something
 * was left out. A mark other than `>` is then one that the mail quotes with.
 */
export const isFollowedByQuote = (lines: readonly string[], start: number, marks: QuoteMarks): boolean => {
  let [blanks, leftOut] = [0, 0]
  for (let index = start; index < lines.length && blanks <= MAX_BLANKS && leftOut <= MAX_LEFT_OUT; index++) {
    const line = lines[index] ?? ''
    if (isBlank(line)) blanks += 1
    else if (isQuoted(line) || isIndented(line)) return true
    else if (LEFT_OUT.test(line.slice(0, MAX_LENGTH))) [blanks, leftOut] = [0, leftOut + 1]
    else {
      const found = markOf(line)
      if (found !== null) marks.set(found.mark, found)
      return found !== null
    }
  }
  return false
}

/** `>>>>> "KL" == Kim Lee <kim@example.com> writes:`, below which each line begins with `KL>`. */
const ANNOUNCED = /^[>\s]{0,12}"(?<initials>[\p{L}-]{1,12})" == /u

/** The mark that a quoted line announces. */
export const announceMark = (line: string, marks: QuoteMarks): void => {
  const initials = ANNOUNCED.exec(line.slice(0, MAX_LENGTH))?.groups?.initials
  if (initials !== undefined) marks.set(`${initials}>`, { mark: `${initials}>`, isApart: true })
}

const INDENTED = /^(?:[^\S\n]{2,12}|\t)\S/

/** Lines that all stand further in, blank ones among them. */
interface IndentedRun {
  /** The index of the first line behind them that stands out. */
  readonly end: number
  /** The index of the last one that stands directly below another; -1 where none does. */
  readonly lastInRow: number
}

const indentedFrom = (lines: readonly string[], start: number): IndentedRun => {
  let lastInRow = -1
  for (let index = start; index < lines.length; index++) {
    const line = lines[index] ?? ''
    if (isBlank(line)) continue
    if (!INDENTED.test(line)) return { end: index, lastInRow }
    if (!isBlank(lines[index - 1] ?? '')) lastInRow = index
  }
  return { end: lines.length, lastInRow }
}

/**
 * Tells where what is quoted by an indent alone ends, below an attribution: lines that all stand further in, some
 * directly below another, up to an empty line and one that stands out. 0 where it is not quoted so, as where paragraphs
 * begin with an indent, or all of the text is indented. It is asked in the order of the lines, and reads each once,
 * however many attributions stand above the same lines.
 */
export const createEndOfIndented = (lines: readonly string[]): ((start: number) => number) => {
  let run: IndentedRun = { end: -1, lastInRow: -1 }
  return start => {
    if (start > run.end) run = indentedFrom(lines, start)
    const { end, lastInRow } = run
    const isQuote = end < lines.length && lastInRow > start && isBlank(lines[end - 1] ?? '')
    return isQuote ? end : 0
  }
}
