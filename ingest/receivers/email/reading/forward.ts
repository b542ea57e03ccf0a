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

/** A mail that was forwarded inside of another's text. */
export interface ForwardedText {
  /** What the forwarder wrote above it, and below. */
  readonly note: string
  /** The lines that say whose mail it is, and where it ends. */
  readonly headers: string
  readonly author: ProjectedMailbox
  readonly subject: string | null
  readonly writtenAt: number | null
  /** As it stands there: a blank at the end of a line may be a sign. */
  readonly text: string
}

/** What the headers of the mail itself say. */
interface Outer extends Pick<Subject, 'forwarded' | 'answered' | 'isEither'> {
  /** Whether they say that it answers another one. */
  readonly answers: boolean
}

/** Where a mail begins that is forwarded, and what is said of it. */
interface Start {
  readonly author: ProjectedMailbox
  readonly subject: string | null
  readonly date: string | undefined
  /** The first line that says so, where it is not the one that was found. */
  readonly start?: number
  /** The index of the first line of the mail itself. */
  readonly end: number
}

/**
 * The mail that a text forwards, when it says so plainly: behind a line that announces it; where the program writes
 * none (Outlook), when the subject says that the mail was forwarded; and where nothing stands above the headers of a
 * mail that answers none. Null for every other text.
 */
export const findForward = (text: string, outer: Outer): ForwardedText | null => {
  const lines = text.split('\n')
  const firstQuoted = lines.findIndex(isQuoted)
  const lastQuoted = lines.findLastIndex(isQuoted)
  let isFirst = !outer.answered && !outer.answers
  for (const [index, line] of lines.entries()) {
    // What stands below a quote is of the mails before.
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
  // Who writes between or below lines that are marked answers them.
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

/** Whether all lines are marked, but for those that a program wrapped: they stand directly between two that are. */
const isMarkedWhole = (lines: readonly string[]): boolean =>
  lines.every(
    (line, index) =>
      isBlank(line) || isQuoted(line) || (isQuoted(lines[index - 1] ?? '') && isQuoted(lines[index + 1] ?? '')),
  )

/** Apple Mail quotes what it forwards: one level goes. */
const withoutMarks = (lines: readonly string[]): readonly string[] => lines.map(line => line.replace(/^\s?>\s?/, ''))

const startOf = ({ values, end }: LabelledLines): Start => ({
  author: readMailbox(values.from ?? ''),
  subject: values.subject ?? null,
  date: values.date,
  end,
})

/** Some programs write the name of a company above the headers. */
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

/** The mail below a sure attribution (Outlook for Mac), where no marks say that parts of it are answered. */
const attributed = (lines: readonly string[], index: number): Start | null => {
  const attribution = attributionAt(lines, index)
  if (attribution?.certainty !== 'sure') return null
  const text = lines.slice(attribution.start, index + 1).join(' ')
  const author = authorOfAttribution(text)
  return author && { author, subject: null, date: text, start: attribution.start, end: index + 1 }
}

/** Where the rules begin that a program puts above headers. */
const titleStart = (lines: readonly string[], index: number): number => {
  let top = index
  for (let above = index - 1; above >= 0; above--) {
    const line = lines[above] ?? ''
    if (isRule(line) || isOriginalSeparator(line)) top = above
    else if (!isBlank(line)) break
  }
  return top
}
