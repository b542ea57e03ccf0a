import { AT_END, BEFORE_NAME, type Certainty, certaintyOf, NAME_BEFORE_DATE, TIME } from './certainty.ts'
import { endsLoosely } from './loose-attribution.ts'
import { BEGINS_WITH_DATE } from './people.ts'
import { isBlank, isQuoted, MARKS } from './quoted-lines.ts'

/** Maximum of lines over which an attribution may be wrapped. */
const MAX_LINES = 4
const MAX_LENGTH = 400

/** The date is on the line above: `at 19:21, <name> wrote:` */
const BEGINS_WITH_TIME = /^[^\p{L}\d]{0,6}(?:[\p{L}-]{1,14}[.,]{0,2}\s{1,3}){0,4}\d{1,2}[:.h]\d\d/u
/** `---- On <date> <name> <address> wrote ----` */
const BETWEEN_DASHES = /^-{2,9}\s{0,3}(?<said>[^\s-].{0,390}?[^\s-])\s{0,3}-{2,9}$/u

/** Joins an address that is broken over two lines. */
const joined = (lines: readonly string[]): string =>
  lines
    .join(' ')
    .replace(/<[^<>@]{0,64}@?[^<>]{0,64}>/g, address => (address.includes('@') ? address.replaceAll(' ', '') : address))

const OPEN_ADDRESS = /<[^<>\s]{1,64}@?[^<>\s]{0,64}$/

/** True for a line that looks quoted and ends an address that is broken over two lines: `<name@example.com⏎>:` */
export const closesAddress = (lines: readonly string[], index: number): boolean => {
  const line = lines[index] ?? ''
  return (
    line.length <= MAX_LENGTH &&
    /^>[^>]{0,40}[:：]\s?$/u.test(line) &&
    OPEN_ADDRESS.test((lines[index - 1] ?? '').slice(-MAX_LENGTH).trimEnd())
  )
}

/** Lines that say who wrote what follows. */
interface Attribution {
  /** The index of the first line. */
  readonly start: number
  readonly certainty: Exclude<Certainty, 'none'>
}

/**
 * A cheap check that excludes most lines: true when the line may end an attribution, by its ending and by an address or
 * a verb in the lines.
 */
export const mayEndAttribution = (lines: readonly string[], end: number): boolean => {
  const line = (lines[end] ?? '').replace(MARKS, '').trim()
  if (line === '' || line.length > MAX_LENGTH) return false
  if (AT_END.test(line) || endsLoosely(line)) return true
  if (/[\p{L}\p{N}]\s{0,3}-{2,9}$/u.test(line) || /@\S{1,64}[>\])]$/.test(line)) return true
  if (!/[:：]$/.test(line)) return false
  if (NAME_BEFORE_DATE.test(line) || (BEGINS_WITH_DATE.test(line) && TIME.test(line))) return true
  const text = lines
    .slice(Math.max(0, end - MAX_LINES + 1), end + 1)
    .join(' ')
    .slice(-MAX_LENGTH)
  return text.includes('@') || BEFORE_NAME.test(text) || AT_END.test(text)
}

const beginsParagraph = (lines: readonly string[], start: number): boolean => {
  const above = lines[start - 1] ?? ''
  return isBlank(above) || isQuoted(above)
}

/**
 * The attribution that ends with this line; null when none does. Takes the fewest lines that form one, so that none of
 * the author's own lines are included.
 */
export const attributionAt = (lines: readonly string[], end: number): Attribution | null => {
  if (!mayEndAttribution(lines, end)) return null
  const taken: string[] = []
  let weaker: Attribution | null = null
  let needsDate = false
  for (let start = end; start >= 0 && end - start < MAX_LINES; start--) {
    const above = (lines[start] ?? '').replace(MARKS, '').trim()
    if (above === '' || (isQuoted(above) && !closesAddress(lines, start))) break
    taken.unshift(above)
    const text = joined(taken)
    if (text.length > MAX_LENGTH) break
    const said = BETWEEN_DASHES.exec(text)?.groups?.said
    const certainty = certaintyOf(said ?? text)
    if (certainty === 'none') continue
    const isDated = BEGINS_WITH_DATE.test(said ?? text)
    // A weak attribution must be a paragraph of its own: on one line, or on several that begin with the date.
    const isWeak = certainty === 'directly above >'
    needsDate ||= isWeak && !isDated && !(start === end && beginsParagraph(lines, start))
    if ((needsDate && !isDated) || (isWeak && !beginsParagraph(lines, start))) continue
    const isWhole = isDated && !BEGINS_WITH_TIME.test(text)
    if (isWhole || certainty === 'sure') return { start, certainty }
    weaker ??= { start, certainty }
  }
  return weaker
}
