import { type LineBreak, lineBreaks } from './line-breaks.ts'
import { type Reading, type Shift, writtenPosition } from './shifts.ts'

/** A text with lines joined where a number may continue. */
export interface View extends Reading {
  /** Positions where lines were joined, in order. */
  readonly joints: readonly Joint[]
}

export interface Joint {
  /** Positions in the view: the end of the first line, and the beginning of the second. */
  readonly start: number
  readonly end: number
  readonly between: LineBreak
}

/** Characters before and behind a line break in its view: words that introduce a number, and the number. */
const REACH = 96

/** Signs that were attached to the number: the line was broken without a space. */
const BINDS_BEHIND = /[-@./:_=]$/
const BINDS_BEFORE = /^[-@./:_]/

/**
 * The views of a text over its line breaks: one joins lines with a space, the other without, where that makes a
 * difference. Empty for a text without such line breaks.
 */
export const viewsOverLines = (text: string): readonly View[] => {
  const breaks = lineBreaks(text)
  if (breaks.length === 0) return []
  const spaced = view(text, breaks, between => (binds(text, between) ? '' : ' '))
  const glued = breaks.filter(between => between.mayGlue && !binds(text, between))
  return glued.length === 0 ? [spaced] : [spaced, view(text, glued, () => '')]
}

/** True when the line is broken at a sign of the number, or inside of a word by quoted-printable. */
const binds = (text: string, { start, end, isQuotedPrintable }: LineBreak): boolean =>
  isQuotedPrintable || BINDS_BEHIND.test(text[start - 1] ?? '') || BINDS_BEFORE.test(text[end] ?? '')

/** Separates parts of a view that are not neighbours in the text. */
const APART = '\n\n'

const view = (text: string, breaks: readonly LineBreak[], joinedBy: (between: LineBreak) => string): View => {
  let joined = ''
  const shifts: Shift[] = []
  const joints: Joint[] = []
  let copied = 0
  const copy = (from: number, to: number): void => {
    shifts.push({ from: joined.length, written: from })
    joined += text.slice(from, to)
    copied = to
  }
  for (const [place, between] of breaks.entries()) {
    const begin = beginOf(text, Math.max(copied, between.start - REACH), between.start)
    if (begin > copied && joined !== '') joined += APART
    copy(joined === '' || begin > copied ? begin : copied, between.start)
    const start = joined.length
    joined += joinedBy(between)
    joints.push({ start, end: joined.length, between })
    const next = breaks[place + 1]?.start ?? text.length
    copy(between.end, Math.min(next, between.end + REACH))
  }
  return { text: joined, at: position => writtenPosition(shifts, position), joints }
}

/** The position, or the next beginning of a word. */
const beginOf = (text: string, position: number, end: number): number => {
  if (position === 0) return 0
  const space = text.slice(position, end).search(/\s/)
  return space === -1 ? position : position + space
}
