import type { MailCut } from '../../../../schemas/http/email.ts'
import { attributionAt, closesAddress, mayEndAttribution } from './attribution.ts'
import { isSureBlock, readHeaderBlock } from './header-block.ts'
import { announceMark, createEndOfIndented, hasQuoteMark, isFollowedByQuote, marksOfProse } from './quote-marks.ts'
import { isBlank, isIndented, isQuoted, joinLines, unquote } from './quoted-lines.ts'
import { endsAnnouncement, isBetweenArrows, isOriginalSeparator, isRule } from './quoting.ts'
import { findTail } from './signature.ts'

/** A mail's text in two parts: the author's newest text, and everything else. */
interface Thread {
  readonly newest: string
  /** In the order of the text. */
  readonly cuts: readonly MailCut[]
}

type Kind = 'own' | MailCut['kind']

/**
 * Splits a text where mail programs do. Lines marked with `>` are quoted, with the lines above them that name their
 * author. Behind Outlook's headers, a line that announces the original mail, or a sure attribution of unmarked text,
 * everything is quoted. A text of only quotes counts as the author's. `answers`: the headers say that the mail is an
 * answer, which is a second sign where the text has a weak one.
 */
export const readThread = (text: string, answers: boolean): Thread => {
  const lines = text.split('\n')
  const whole = quotedKinds(lines, answers)
  // When nothing would be left, the author may have written below an unmarked quote: only marks count then.
  const kinds = hasOwn(lines, whole) ? whole : quotedKinds(lines, answers, true)
  const own = [...kinds.keys()].filter(index => kinds[index] === 'own')
  const { signature, footer } = findTail(own.map(index => lines[index] ?? ''))
  for (const at of signature) kinds[own[at] ?? 0] = 'signature'
  for (const at of footer) kinds[own[at] ?? 0] = 'footer'
  const newest = textOf(own.filter(index => kinds[index] === 'own').map(index => lines[index] ?? ''))
  if (newest === '') return { newest: textOf(lines), cuts: [] }
  return { newest, cuts: cutsOf(lines, kinds) }
}

const hasOwn = (lines: readonly string[], kinds: readonly Kind[]): boolean =>
  lines.some((line, index) => kinds[index] === 'own' && !isBlank(line))

const textOf = (lines: readonly string[]): string => joinLines(lines.map(unquote))

/** Limit of lines that are checked as the end of an attribution. */
const MAX_CANDIDATES = 1_000

/** Maximum of empty lines between an attribution and its quote. */
const MAX_GAP = 4

/** The kind of each line. With `byMarks` only marks count, not lines that announce a quoted rest. */
const quotedKinds = (lines: readonly string[], answers: boolean, byMarks = false): Kind[] => {
  const kinds: Kind[] = []
  const marks = answers ? marksOfProse(lines) : new Map()
  const endOfIndented = createEndOfIndented(lines)
  let candidates = 0
  let quotedUntil = 0
  let firstOwn = Number.POSITIVE_INFINITY
  const lastQuoted = lines.findLastIndex(isQuoted)
  for (const [index, line] of lines.entries()) {
    if (index < quotedUntil) {
      kinds.push('quoted')
      continue
    }
    if (line === '') {
      kinds.push('own')
      continue
    }
    if (endsQuotedLine(lines, index)) {
      kinds.push('quoted')
      continue
    }
    const isAddressEnd = closesAddress(lines, index)
    if (isQuoted(line) && !isAddressEnd && (byMarks || !isBetweenArrows(line))) {
      kinds.push('quoted')
      announceMark(line, marks)
      continue
    }
    const isBelow = isBelowQuote(lines, kinds)
    // Indented lines are quoted below an attribution or a quote; elsewhere they are the author's paragraphs.
    if (!isAddressEnd && (hasQuoteMark(lines, index, marks, isBelow) || (isBelow && isIndented(line)))) {
      kinds.push('quoted')
      continue
    }
    const mayEnd = mayEndAttribution(lines, index)
    if (mayEnd) candidates += 1
    const attribution = mayEnd && candidates <= MAX_CANDIDATES ? attributionAt(lines, index) : null
    const isMarked =
      attribution !== null &&
      (attribution.certainty === 'directly above >'
        ? isAboveQuoted(lines, index)
        : isFollowedByQuote(lines, index + 1, marks))
    const isByProgram = attribution !== null && isOfProgram(lines, attribution.start, index)
    kinds.push('own')
    if (firstOwn > index && !isBlank(line)) firstOwn = index
    if (isByProgram && !isMarked) quotedUntil = endOfIndented(index + 1)
    const isSure = attribution?.certainty === 'sure' || (answers && attribution?.certainty === 'in an answer')
    // An attribution above all own text, in a mail with marked quotes further down: the author wrote below it.
    const isTop = isByProgram && index < lastQuoted && (byMarks || !isSure) && firstOwn >= attribution.start
    if (isPairAboveQuoted(lines, index)) {
      kinds.fill('quoted', index)
      quotedUntil = index + 2
      continue
    }
    const announces = isOriginalSeparator(line) || isBetweenArrows(line)
    if (announces && isAboveQuoted(lines, index)) kinds.fill('quoted', index)
    else if (attribution !== null && (isMarked || isTop || quotedUntil > index)) {
      const start = outermost(lines, kinds, attribution.start)
      kinds.fill('quoted', start)
      if (firstOwn >= start) firstOwn = Number.POSITIVE_INFINITY
    } else if (!byMarks) {
      // Some programs quote without marks: the rest cannot be told apart.
      const start = isSure ? attribution.start : index
      if (isSure || isHistory(lines, index, answers))
        return kinds.fill('quoted', ruleStart(lines, start)).concat(quoted(lines, index + 1))
    }
  }
  return kinds
}

/** A verb that was wrapped off the quoted line above. */
const BROKEN_OFF = /^(?:wrote|writes|schrieb|a écrit|escribió|ha scritto|escreveu|schreef|skrev)\s?:\s{0,3}$/iu

const endsQuotedLine = (lines: readonly string[], index: number): boolean =>
  BROKEN_OFF.test((lines[index] ?? '').slice(0, 20)) && isQuoted(lines[index - 1] ?? '') && isAboveQuoted(lines, index)

/** True when the next line is quoted, or the line after an empty one. */
const isAboveQuoted = (lines: readonly string[], index: number): boolean => {
  const next = lines[index + 1] ?? ''
  return isQuoted(next) || (isBlank(next) && isQuoted(lines[index + 2] ?? ''))
}

/** True for two headers, author and day, directly above a quote, as mail programs for Emacs write them. */
const isPairAboveQuoted = (lines: readonly string[], index: number): boolean =>
  /^From: \S.{0,200}@/.test(lines[index] ?? '') &&
  /^Date: \S.{0,40}\d\d:\d\d/.test(lines[index + 1] ?? '') &&
  isAboveQuoted(lines, index + 1)

/** Limit of nested quotes. */
const MAX_DEPTH = 20

/** The first of the attributions that stand directly above this one, as for a quote in a quote. */
const outermost = (lines: readonly string[], kinds: readonly Kind[], start: number): number => {
  let outer = start
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    let above = outer - 1
    while (above > 0 && outer - above < MAX_GAP && isBlank(lines[above] ?? '')) above--
    const found = kinds[above] === 'own' ? attributionAt(lines, above) : null
    if (found === null) break
    outer = found.start
  }
  return outer
}

const DATED = /\d{1,2}[:.]\d\d|(?:19|20)\d\d/

/** True when an attribution has an address, a mail's id or a time, which nobody writes by hand. */
const isOfProgram = (lines: readonly string[], start: number, end: number): boolean =>
  lines.slice(start, end + 1).some(line => line.includes('@') || DATED.test(line.slice(0, 200)))

/** True when the last line that is not empty is quoted. */
const isBelowQuote = (lines: readonly string[], kinds: readonly Kind[]): boolean => {
  let above = kinds.length - 1
  while (above > 0 && kinds.length - above < MAX_GAP && isBlank(lines[above] ?? '')) above--
  return kinds[above] === 'quoted'
}

const quoted = (lines: readonly string[], start: number): Kind[] => lines.slice(start).map(() => 'quoted')

/** True when a line begins a mail that is quoted as a whole. */
const isHistory = (lines: readonly string[], index: number, answers: boolean): boolean => {
  if (isOriginalSeparator(lines[index] ?? '') || isBetweenArrows(lines[index] ?? '')) return true
  const block = readHeaderBlock(lines, index)
  return block !== null && isSureBlock(block, answers || ruleStart(lines, index) < index)
}

/** True for a line that announces the mail below in a language that is not listed. */
const isTitle = (line: string): boolean =>
  line.length < 120 && /^\s?[-=_]{3}/.test(line) && /[-=_]{3}\s?$/.test(line) && /\p{L}/u.test(line)

/** The first line of a rule or attribution above the quote; the line itself without one. */
const ruleStart = (lines: readonly string[], start: number): number => {
  let above = start
  while (above > 0 && isBlank(lines[above - 1] ?? '')) above--
  const rule = lines[above - 1] ?? ''
  if (endsAnnouncement(lines, above - 1)) return above - 2
  if (isRule(rule) || isTitle(rule)) return above - 1
  return attributionAt(lines, above - 1)?.start ?? start
}

const cutsOf = (lines: readonly string[], kinds: readonly Kind[]): readonly MailCut[] => {
  const runs: { readonly kind: MailCut['kind']; readonly lines: string[] }[] = []
  let inside: Kind = 'own'
  for (const [index, line] of lines.entries()) {
    const kind = kinds[index] ?? 'own'
    // An empty line does not split a cut.
    if (kind === 'own' && isBlank(line)) continue
    if (kind !== 'own' && kind !== inside) runs.push({ kind, lines: [] })
    if (kind !== 'own') runs.at(-1)?.lines.push(line)
    inside = kind
  }
  return runs.map(({ kind, lines }) => ({ kind, text: textOf(lines) })).filter(({ text }) => text !== '')
}
