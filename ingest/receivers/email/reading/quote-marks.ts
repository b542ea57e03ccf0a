import { isBlank, isIndented, isQuoted } from './quoted-lines.ts'

/**
 * Quote marks other than `>`: a character, an arrow, or initials (`KL>`). A dash or a star is none, since people use
 * them for lists.
 */
const MARK =
  /^[^\S\n]{0,8}(?<mark>[-=|:}]{1,3}>|-\||["\p{L}][\p{L}"-]{0,11}>|\p{Lu}{1,3} >|>|[|:}\])#+%=&<!~$])(?<blank>[^\S\n]|$)?/u
/** Marks that also count for a quote of a single line further down. Other marks may be code or lists there. */
const EVERYWHERE = /^(?:[|:}\]]|.{0,12}>)$/u
/** Beginnings that look like a mark: a smiley, a row of a table. */
const OTHER = /^[^\S\n]{0,8}(?::[-'o^]{0,2}[()[\]DPp|/\\]|\|.{0,400}\|[^\S\n]{0,9}$)/u
const MAX_LENGTH = 500

/** A line's quote mark. */
interface QuoteMark {
  readonly mark: string
  /** True when a blank follows the mark. */
  readonly isApart: boolean
}

const markOf = (line: string): QuoteMark | null => {
  const { mark, blank } = MARK.exec(line.slice(0, MAX_LENGTH))?.groups ?? {}
  return mark === undefined || OTHER.test(line.slice(0, MAX_LENGTH)) ? null : { mark, isApart: blank !== undefined }
}

/** The marks that a mail is known to use. */
export type QuoteMarks = Map<string, QuoteMark>

/** True when a line has a known mark in a valid place: marks that may be code need a second line, or a quote above. */
export const hasQuoteMark = (
  lines: readonly string[],
  index: number,
  marks: QuoteMarks,
  isBelowQuote: boolean,
): boolean => {
  if (marks.size === 0 && !isBelowQuote) return false
  const found = markOf(lines[index] ?? '')
  if (found === null) return false
  // An indented mark below a quote, by programs that indent quotes.
  if (found.mark === '>' && isBelowQuote) marks.set('>', found)
  if (!isKnown(found, marks)) return false
  return isBelowQuote || EVERYWHERE.test(found.mark) || markOf(lines[index + 1] ?? '')?.mark === found.mark
}

const isKnown = (found: QuoteMark, marks: QuoteMarks): boolean => {
  const known = marks.get(found.mark)
  return known !== undefined && (found.isApart || !known.isApart)
}

/** Marks that stand before prose only in quotes; others also stand before code, lists and numbers. */
const OF_PROSE = /^(?:[|:}\]]|[-=|:}]{1,3}>|["\p{L}][\p{L}"-]{0,11}>|\p{Lu}{1,3} >|>)$/u
/** A line of prose that a program wrapped: five words or more, without signs of code. */
const PROSE = /^(?:[\p{L}'’-]{2,20}[.,:?!;)]{0,2}\s{1,2}|[\p{L}"(]\s){5,30}/u
/** The border of a drawn box. */
const BOX = /^\s{0,8}[,.+/`][-=_]{2,}/

/**
 * The marks before several lines of prose. In an answer these lines are the quoted mail. Initials count when only one
 * person has them: a pasted conversation has several.
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

/** A person's own line in place of an omitted quote, such as brackets, dots or `snip`. */
const LEFT_OUT =
  /^\s{0,9}(?:\.{2,20}(?:[^.]{1,60}\.{2,20})?|…|[[(<{].{0,100}[\])>}]|[<[(*-]{0,3}\s?snip\b.{0,60})\s{0,9}$/iu

/** Maximum of empty lines between, and of lines that say that something was left out. */
const MAX_BLANKS = 4
const MAX_LEFT_OUT = 2

/**
 * True when quoted lines follow an attribution, with a few empty lines or omission marks between. A mark other than `>`
 * then counts as one of the mail's.
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

/** Notes the mark that a quoted line announces. */
export const announceMark = (line: string, marks: QuoteMarks): void => {
  const initials = ANNOUNCED.exec(line.slice(0, MAX_LENGTH))?.groups?.initials
  if (initials !== undefined) marks.set(`${initials}>`, { mark: `${initials}>`, isApart: true })
}

const INDENTED = /^(?:[^\S\n]{2,12}|\t)\S/

/** Consecutive indented lines, empty lines included. */
interface IndentedRun {
  /** The index of the first line after them without indent. */
  readonly end: number
  /** The index of the last line directly below another indented line; -1 without one. */
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
 * Returns the end of a quote below an attribution that is marked by indent alone: indented lines, some directly below
 * another, up to an empty line before an unindented one. Returns 0 where the indent marks no quote, as where paragraphs
 * begin with an indent or the whole text is indented. Must be called in the order of the lines: each line is read once.
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
