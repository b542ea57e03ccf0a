import type { ProjectedMailbox } from '../../../../schemas/http/email.ts'
import { attributionAt } from './attribution.ts'
import { isSureBlock, readHeaderBlock } from './header-block.ts'
import type { LabelledLines } from './notes-block.ts'
import { partAnnounced, readOneLineBlock } from './one-line-block.ts'
import { authorOfAttribution } from './people.ts'
import { isBlank, isQuoted, joinLines, unquote } from './quoted-lines.ts'
import {
  endsAnnouncement,
  endsForward,
  isForwardSeparator,
  isOriginalSeparator,
  isRule,
  readMailbox,
  readSubject,
  type Subject,
} from './quoting.ts'
import { readRawHeaders } from './raw-headers.ts'
import { parseWrittenDate } from './written-date.ts'

/** A mail that was forwarded inside another mail's text. */
export interface ForwardedText {
  /** The forwarder's own text above and below the forwarded mail. */
  readonly note: string
  /** The lines that name the forwarded mail's author, and the line that ends it. */
  readonly headers: string
  readonly author: ProjectedMailbox
  readonly subject: string | null
  readonly writtenAt: number | null
  /** Unchanged: a trailing blank may mark a signature. */
  readonly text: string
}

/** Facts from the outer mail's headers. */
interface Outer extends Pick<Subject, 'forwarded' | 'answered' | 'isEither'> {
  /** True when its headers refer to a mail that it answers. */
  readonly answers: boolean
}

/** The beginning of a forwarded mail, with what is said about it. */
interface Start {
  readonly author: ProjectedMailbox
  readonly subject: string | null
  readonly date: string | undefined
  /** The first of the lines that name the author, where that is not the line that was found. */
  readonly start?: number
  /** The index of the forwarded mail's first line. */
  readonly end: number
}

/**
 * Finds the mail that a text forwards. There are three signs: a line that announces a forwarded mail; headers, when the
 * subject says that the mail was forwarded (Outlook announces nothing); and headers at the top of a mail that is no
 * answer. Null for any other text.
 */
export const findForward = (text: string, outer: Outer): ForwardedText | null => {
  const lines = text.split('\n')
  const firstQuoted = lines.findIndex(isQuoted)
  const lastQuoted = lines.findLastIndex(isQuoted)
  let isFirst = !outer.answered && !outer.answers
  for (const [index, line] of lines.entries()) {
    // Lines below a quote belong to earlier mails.
    const mayAnnounce = !isQuoted(line) || index === firstQuoted
    const start =
      (mayAnnounce ? announced(lines, index) : null) ??
      unannounced(lines, index, outer, isFirst) ??
      (outer.forwarded && lastQuoted <= index ? attributed(lines, index) : null)
    if (start !== null) return forwardedText(lines, index, start)
    isFirst &&= isBlank(line) || isRule(line) || isOriginalSeparator(line)
  }
  return null
}

const forwardedText = (lines: readonly string[], index: number, start: Start): ForwardedText | null => {
  const { author, subject, date, end } = start
  const top = titleStart(lines, start.start ?? index)
  const below = lines.slice(end)
  const isWhole = isMarkedWhole(below)
  // Own text between or below quoted lines makes the mail an answer.
  if (isQuoted(lines[end - 1] ?? '') && !isWhole) return null
  const stop = below.findIndex(endsForward)
  const until = stop === -1 ? below.length : stop
  const forwarded = below.slice(0, until)
  const behind = below.slice(until)
  return {
    note: joinLines([...lines.slice(0, top), '', ...behind.filter(line => !endsForward(line))]),
    headers: joinLines([...lines.slice(top, end), ...behind.filter(endsForward)].map(unquote)),
    author,
    subject: subject === null ? null : readSubject(subject).plain,
    writtenAt: date === undefined ? null : parseWrittenDate(date),
    text: (isWhole ? withoutMarks(forwarded) : forwarded).join('\n'),
  }
}

/** True when all lines are marked as quoted, except wrapped ones directly between two marked lines. */
const isMarkedWhole = (lines: readonly string[]): boolean =>
  lines.every(
    (line, index) =>
      isBlank(line) || isQuoted(line) || (isQuoted(lines[index - 1] ?? '') && isQuoted(lines[index + 1] ?? '')),
  )

/** Apple Mail quotes a forwarded mail: removes one level of marks. */
const withoutMarks = (lines: readonly string[]): readonly string[] => lines.map(line => line.replace(/^\s?>\s?/, ''))

const startOf = ({ values, end }: LabelledLines): Start => ({
  author: readMailbox(values.from ?? ''),
  subject: values.subject ?? null,
  date: values.date,
  end,
})

/** Some programs write a company's name above the headers. */
const MAX_TITLE_LINES = 4

/** The mail below a line that announces it. */
const announced = (lines: readonly string[], index: number): Start | null => {
  const line = lines[index] ?? ''
  const parted = partAnnounced(line)
  if (parted !== null && isForwardSeparator(parted.rule)) {
    const values = readOneLineBlock(parted.headers)
    if (values !== null) return startOf({ values, end: index + 1 })
  }
  if (!isForwardSeparator(line)) return null
  let start = index + 1
  if (endsAnnouncement(lines, start)) start++
  while (start < lines.length && isBlank(unquote(lines[start] ?? ''))) start++
  const raw = readRawHeaders(lines, start)
  for (let title = start; title < start + MAX_TITLE_LINES; title++) {
    const block = readHeaderBlock(lines, title)
    if (block !== null && block.end >= (raw?.end ?? 0)) return startOf(block)
  }
  return raw && startOf(raw)
}

const unannounced = (lines: readonly string[], index: number, outer: Outer, isFirst: boolean): Start | null => {
  const line = lines[index] ?? ''
  const isForward = outer.forwarded || (outer.isEither && /^(?:fra|avsender)\s?:/i.test(line))
  if (!isForward && !isFirst) return null
  const block = readHeaderBlock(lines, index)
  if (block !== null && (isForward || isSureBlock(block, isOriginalSeparator(lines[index - 1] ?? ''))))
    return startOf(block)
  return null
}

/** The mail below a sure attribution (Outlook for Mac), where no quote marks show that it is an answer. */
const attributed = (lines: readonly string[], index: number): Start | null => {
  const attribution = attributionAt(lines, index)
  if (attribution?.certainty !== 'sure') return null
  const text = lines.slice(attribution.start, index + 1).join(' ')
  const author = authorOfAttribution(text)
  return author && { author, subject: null, date: text, start: attribution.start, end: index + 1 }
}

/** The first of the rules that a program puts above headers. */
const titleStart = (lines: readonly string[], index: number): number => {
  let top = index
  for (let above = index - 1; above >= 0; above--) {
    const line = lines[above] ?? ''
    if (isRule(line) || isOriginalSeparator(line)) top = above
    else if (!isBlank(line)) break
  }
  return top
}
