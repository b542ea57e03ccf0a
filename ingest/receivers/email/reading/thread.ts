import type { MailCut } from '../../../../schemas/http/email.ts'
import { attributionAt, closesAddress, mayEndAttribution } from './attribution.ts'
import { isSureBlock, readHeaderBlock } from './header-block.ts'
import { announceMark, createEndOfIndented, hasQuoteMark, isFollowedByQuote, marksOfProse } from './quote-marks.ts'
import { isBlank, isIndented, isQuoted, joinLines, unquote } from './quoted-lines.ts'
import { endsAnnouncement, isBetweenArrows, isOriginalSeparator, isRule } from './quoting.ts'
import { findTail } from './signature.ts'

/** A mail's text apart: what its author wrote this time, and all the rest. Nothing is in neither. */
interface Thread {
  readonly newest: string
  /** In the order in which they stood. */
  readonly cuts: readonly MailCut[]
}

type Kind = 'own' | MailCut['kind']

/**
 * Parts a text where mail programs do: lines marked with `>` are quoted wherever they stand, with the lines above them
 * that say whose they are; behind Outlook's headers, a line that announces the original mail, or a sure attribution of
 * what is not marked, everything is. A text that is nothing but quotes is its author's all the same: somebody sent it.
 * `answers` says whether the mail is an answer, by its headers: a second sign where the text has a weak one.
 */
export const readThread = (text: string, answers: boolean): Thread => {
  const lines = text.split('\n')
  const whole = quotedKinds(lines, answers)
  // Where nothing would be left, its author may have written below what they quote: then its marks alone say which.
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

/** More lines that end as an attribution does were written by nobody. */
const MAX_CANDIDATES = 1_000

/** So many empty lines stand between an attribution and what it says. */
const MAX_GAP = 4

/** For each line whether it is quoted; by marks alone, or by what announces that all below is quoted, too. */
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
    // What is indented below an attribution or a quote is quoted, and somebody's own paragraph elsewhere.
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
    // Above all that its author wrote, in a mail whose quotes are marked further down: they wrote below it.
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
      // Some programs quote without marks: whose lines are whose cannot be told from there on.
      const start = isSure ? attribution.start : index
      if (isSure || isHistory(lines, index, answers))
        return kinds.fill('quoted', ruleStart(lines, start)).concat(quoted(lines, index + 1))
    }
  }
  return kinds
}

/** A verb that a program broke off from the quoted line above. */
const BROKEN_OFF = /^(?:wrote|writes|schrieb|a écrit|escribió|ha scritto|escreveu|schreef|skrev)\s?:\s{0,3}$/iu

const endsQuotedLine = (lines: readonly string[], index: number): boolean =>
  BROKEN_OFF.test((lines[index] ?? '').slice(0, 20)) && isQuoted(lines[index - 1] ?? '') && isAboveQuoted(lines, index)

/** Whether the next line is quoted, or the line after it where the next one is empty. */
const isAboveQuoted = (lines: readonly string[], index: number): boolean => {
  const next = lines[index + 1] ?? ''
  return isQuoted(next) || (isBlank(next) && isQuoted(lines[index + 2] ?? ''))
}

/** The author and the day, in two headers directly above what is quoted, as mail programs for Emacs write them. */
const isPairAboveQuoted = (lines: readonly string[], index: number): boolean =>
  /^From: \S.{0,200}@/.test(lines[index] ?? '') &&
  /^Date: \S.{0,40}\d\d:\d\d/.test(lines[index + 1] ?? '') &&
  isAboveQuoted(lines, index + 1)

/** Quotes within quotes are looked for so deep. */
const MAX_DEPTH = 20

/** Where the attributions begin that stand directly above one, as of a quote in a quote. */
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

/** Whether an attribution names an address, the id of a mail, or a time, which nobody writes by hand. */
const isOfProgram = (lines: readonly string[], start: number, end: number): boolean =>
  lines.slice(start, end + 1).some(line => line.includes('@') || DATED.test(line.slice(0, 200)))

/** Whether the last line that is not empty is quoted. */
const isBelowQuote = (lines: readonly string[], kinds: readonly Kind[]): boolean => {
  let above = kinds.length - 1
  while (above > 0 && kinds.length - above < MAX_GAP && isBlank(lines[above] ?? '')) above--
  return kinds[above] === 'quoted'
}

const quoted = (lines: readonly string[], start: number): Kind[] => lines.slice(start).map(() => 'quoted')

/** Whether a line begins the mail that is quoted as a whole. */
const isHistory = (lines: readonly string[], index: number, answers: boolean): boolean => {
  if (isOriginalSeparator(lines[index] ?? '') || isBetweenArrows(lines[index] ?? '')) return true
  const block = readHeaderBlock(lines, index)
  return block !== null && isSureBlock(block, answers || ruleStart(lines, index) < index)
}

/** A line that announces the mail below, in a language that is not known here. */
const isTitle = (line: string): boolean =>
  line.length < 120 && /^\s?[-=_]{3}/.test(line) && /[-=_]{3}\s?$/.test(line) && /\p{L}/u.test(line)

/** Where a program's rule or attribution begins above what it quotes; the line itself without one. */
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
    // An empty line parts nothing.
    if (kind === 'own' && isBlank(line)) continue
    if (kind !== 'own' && kind !== inside) runs.push({ kind, lines: [] })
    if (kind !== 'own') runs.at(-1)?.lines.push(line)
    inside = kind
  }
  return runs.map(({ kind, lines }) => ({ kind, text: textOf(lines) })).filter(({ text }) => text !== '')
}
