import type { PersonalDataKind, Span } from './detectors/detector.ts'
import { COUNTED } from './detectors/phone-words.ts'
import type { LineBreak } from './line-breaks.ts'
import type { Joint, View } from './views.ts'

/** Personal data in a text; `kind` is null for a protected form that stays. */
export interface Finding extends Span {
  readonly kind: PersonalDataKind | null
}

/** Kinds with check digits or a form of their own, wherever lines end. */
const CERTAIN: ReadonlySet<PersonalDataKind | null> = new Set(['IBAN', 'CARD', 'CRYPTO', 'EMAIL'])

/** Line breaks inside of a value of a certain kind, in a narrow column. Other values have one at most. */
const MAX_BREAKS = 3

/** Kinds that a word tells from a phone number of the same form. */
const RENAMED: ReadonlySet<PersonalDataKind> = new Set(['NATIONAL_ID', 'CARD'])

/** Greatest distance between a line break and a number that words on the other line introduce. */
const INTRODUCTION_REACH = 64

/**
 * Adds findings over line breaks to the findings on single lines: values across breaks, and values that words before a
 * break introduce. A finding over lines replaces findings inside of it. Another overlap, or a protected form, excludes
 * it. Findings of an earlier view stay.
 */
export const overLines = (
  text: string,
  onLines: readonly Finding[],
  views: readonly (readonly [View, readonly Finding[]])[],
): readonly Finding[] => {
  const given = new Set(onLines)
  let all = onLines
  for (const [view, inView] of views) {
    const added = foundOver(text, onLines, view, inView).filter(found =>
      touching(all, found).every(other => given.has(other)),
    )
    if (added.length > 0)
      all = [...all.filter(other => touching(added, other).length === 0), ...added].toSorted(
        (a, b) => a.start - b.start,
      )
  }
  return all
}

/** Findings of a view across its breaks, or behind words before a break, in the text's order. */
const foundOver = (
  text: string,
  onLines: readonly Finding[],
  { joints, at }: View,
  inView: readonly Finding[],
): readonly Finding[] => {
  let next = 0
  return inView.flatMap(({ start, end, kind }) => {
    while (next < joints.length && (joints[next]?.start ?? 0) <= start) next += 1
    if (kind === null) return []
    const found = { start: at(start), end: at(end), kind }
    const touched = touching(onLines, found)
    const [before, joint] = [joints[next - 1], joints[next]]
    if (joint !== undefined && joint.start < end) {
      const crossed = crossedBy(joints, next, end, CERTAIN.has(kind) ? MAX_BREAKS : 1)
      return crossed.length > 0 && crossed.every(({ between }) => mayBeBroken(text, found, between, touched))
        ? [found]
        : []
    }
    const isIntroduced =
      before?.between.isSoft === true &&
      !before.between.isBetweenRows &&
      start - before.end <= INTRODUCTION_REACH &&
      touched.every(other => other.start === found.start && other.end === found.end && RENAMED.has(kind))
    return isIntroduced ? [found] : []
  })
}

/** The breaks inside of a finding, from one on; none when there are more than `most`. */
const crossedBy = (joints: readonly Joint[], first: number, end: number, most: number): readonly Joint[] => {
  const crossed = joints.slice(first, first + most + 1).filter(joint => joint.start < end)
  return crossed.length > most || crossed.some(joint => joint.end >= end) ? [] : crossed
}

/** Findings that share characters with a span. `all` is in order and without overlap. */
const touching = (all: readonly Finding[], { start, end }: Span): readonly Finding[] => {
  let low = 0
  let high = all.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((all[middle]?.end ?? 0) <= start) low = middle + 1
    else high = middle
  }
  let last = low
  while (last < all.length && (all[last]?.start ?? end) < end) last += 1
  return all.slice(low, last)
}

const LONGEST_UNIT = 16
/** The rest of an address that is broken at a dot. A capital letter, which begins a sentence, is excluded. */
const DOMAIN_END = /^[\p{Ll}\d-]+(?:\.[\p{Ll}\d-]+)*$/u
const TOP_LEVEL_DOMAIN = /(?:^|\.)(?:com|org|net|edu|gov|info|biz|app|dev|io|[a-z]{2})$/i

/** True when the lines around a break, and the findings on each of them, allow a value across the break. */
const mayBeBroken = (text: string, found: Finding, between: LineBreak, touched: readonly Finding[]): boolean => {
  if (touched.some(part => part.kind === null || part.start < found.start || part.end > found.end)) return false
  if (between.isQuotedPrintable) return true
  const { start, end, kind } = found
  const behind = text.slice(between.end, end)
  if (kind === 'EMAIL') return mayBeBrokenAddress(text.slice(start, between.start), behind, between, touched)
  if (COUNTED.test(text.slice(end, end + LONGEST_UNIT))) return false
  if (!touched.every(part => between.isSoft || isWeaker(part, found))) return false
  if (between.isBetweenNumbers) return CERTAIN.has(kind) || (text[start] === '+' && !between.isBetweenRows)
  return !between.isBetweenRows
}

/**
 * A part of a card number may look like a number that only a word tells. A part of a certain kind may look like another
 * kind.
 */
const isWeaker = (part: Finding, whole: Finding): boolean =>
  CERTAIN.has(whole.kind) && (part.kind !== whole.kind || (whole.kind === 'CARD' && part.end - part.start < LEAST_CARD))
const LEAST_CARD = 15

/** An address that is whole on one line does not continue, unless its domain lacks the end. */
const mayBeBrokenAddress = (
  before: string,
  behind: string,
  { isSoft }: LineBreak,
  touched: readonly Finding[],
): boolean => {
  const isSpelled = !before.includes('@') && !behind.startsWith('@')
  if (touched.length > 0) return isSoft && before.endsWith('.') && TOP_LEVEL_DOMAIN.test(behind)
  if (behind.startsWith('.') && !TOP_LEVEL_DOMAIN.test(behind)) return false
  return isSpelled ? !behind.includes('@') : !before.endsWith('.') || DOMAIN_END.test(behind)
}
