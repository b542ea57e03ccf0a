import { occurrences, type Span } from './detectors/detector.ts'
import type { Finding } from './over-lines.ts'

/**
 * Digits in groups with the same sign between all of them, for writers who avoid spaces: `4242_4242_4242_4242`,
 * `0171/234/5678`. Parts of a path, a name or a longer row are excluded.
 */
const ROW =
  /(?<![\p{L}\p{N}_/\\·•*~.-])\+?\d{1,19}([_/\\·•*~])\d{1,19}(?:\1\d{1,19}){0,7}(?![\p{L}\p{N}_/\\·•*~-]|\.[\p{L}\p{N}])/gu
/** Emphasis around a number, in Markdown and chats. */
const EMPHASIS = /(?<![\p{L}\p{N}_*~])[_*~](?=[\d+(])|(?<=[\d)])[_*~](?![\p{L}\p{N}_*~])/gu
const SIGN = /[_/\\·•*~]/g
const MAY_HOLD = /\d[_/\\·•*~]\d|[_*~][\d+(]/

interface SpacedRows {
  /** The spaced text. It has the length of the original, so that positions are equal. */
  readonly text: string
  readonly rows: readonly Span[]
}

/** The text with a space for each of these signs; null without any. Linear in the text's length. */
export const spacedRows = (text: string): SpacedRows | null => {
  if (!MAY_HOLD.test(text)) return null
  const rows: Span[] = []
  let spaced = ''
  let copied = 0
  for (const pattern of [ROW, EMPHASIS])
    for (const { 0: row, index } of occurrences(pattern, text)) rows.push({ start: index, end: index + row.length })
  rows.sort((one, other) => one.start - other.start)
  for (const { start, end } of rows) {
    if (start < copied) continue
    spaced += text.slice(copied, start) + text.slice(start, end).replace(SIGN, ' ')
    copied = end
  }
  return copied === 0 ? null : { text: spaced + text.slice(copied), rows }
}

/**
 * Findings of a text together with those of its spaced rows. A row's finding replaces findings inside of it, and
 * overlaps no other finding; a protected form, such as a date, keeps a row from being a number. Both lists are in
 * order.
 */
export const withSpacedRows = (
  found: readonly Finding[],
  inRows: readonly Finding[],
  rows: readonly Span[],
): readonly Finding[] => {
  let [row, first] = [0, 0]
  const added = inRows.filter(finding => {
    while ((rows[row]?.end ?? Number.POSITIVE_INFINITY) < finding.start) row += 1
    while ((found[first]?.end ?? Number.POSITIVE_INFINITY) <= finding.start) first += 1
    if (finding.kind === null || (rows[row]?.start ?? Number.POSITIVE_INFINITY) > finding.end) return false
    for (let place = first; ; place += 1) {
      const other = found[place]
      if (other === undefined || other.start >= finding.end) return true
      if (other.kind === null || other.start < finding.start || other.end > finding.end) return false
    }
  })
  if (added.length === 0) return found
  let next = 0
  const kept = found.filter(({ start, end }) => {
    while ((added[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1
    return (added[next]?.start ?? Number.POSITIVE_INFINITY) >= end
  })
  return [...kept, ...added].toSorted((one, other) => one.start - other.start)
}
