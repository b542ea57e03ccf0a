import type { PersonalDataKind, Span } from './detectors/detector.ts'
import { COUNTED } from './detectors/phone-words.ts'
import type { LineBreak } from './line-breaks.ts'
import type { Joint, View } from './views.ts'

/** A part of a text that is personal; null when it is kept because of its form. */
export interface Finding extends Span {
  readonly kind: PersonalDataKind | null
}

/** Their check digits or their form tell them, wherever lines end. */
const CERTAIN: ReadonlySet<PersonalDataKind | null> = new Set(['IBAN', 'CARD', 'CRYPTO', 'EMAIL'])

/** In a narrow column these may take so many lines and one more; anything else takes two. */
const MAX_BREAKS = 3

/** What a word before a number tells from a phone number of the same form. */
const RENAMED: ReadonlySet<PersonalDataKind> = new Set(['NATIONAL_ID', 'CARD'])

/** How far from a line break a number may be that words on the other line introduce. */
const INTRODUCTION_REACH = 64

/**
 * The findings on the lines of a text, with those that its views over line breaks have more: what goes over one break,
 * and what words before a break introduce. What lies inside of such a one is a part of it; what it touches otherwise,
 * or what is kept for its form, keeps it from being one. The findings of an earlier view stay.
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

/** What a view finds over one of its breaks, or behind words before a break; in the order of the text. */
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

/** The breaks that something goes over: from one on as far as it reaches; none where they are more than so many. */
const crossedBy = (joints: readonly Joint[], first: number, end: number, most: number): readonly Joint[] => {
  const crossed = joints.slice(first, first + most + 1).filter(joint => joint.start < end)
  return crossed.length > most || crossed.some(joint => joint.end >= end) ? [] : crossed
}

/** Those of some findings, in order and without overlap, that share characters with a span. */
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
/** How an address that is broken at a dot goes on: what begins a sentence does not. */
const DOMAIN_END = /^[\p{Ll}\d-]+(?:\.[\p{Ll}\d-]+)*$/u
const TOP_LEVEL_DOMAIN = /(?:^|\.)(?:com|org|net|edu|gov|info|biz|app|dev|io|[a-z]{2})$/i

/** Whether the lines around a break, and what is found on each of them, leave it possible that one goes over it. */
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

/** A part of a card's number may be one that only a word tells; another kind may be a part of what is certain. */
const isWeaker = (part: Finding, whole: Finding): boolean =>
  CERTAIN.has(whole.kind) && (part.kind !== whole.kind || (whole.kind === 'CARD' && part.end - part.start < LEAST_CARD))
const LEAST_CARD = 15

/** An address that is whole on one of the lines is no longer one, unless its domain lacks its end. */
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
