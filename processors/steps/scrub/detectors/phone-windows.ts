import type { Span } from './detector.ts'
import { occurrences } from './occurrences.ts'

/** Neighbouring groups of digits that may be one number, as they are written. */
export interface PhoneWindow extends Span {
  readonly written: string
  /** How many digits it has. */
  readonly digits: number
  /** Whether no further group follows closely. */
  readonly endsChain: boolean
}

const SEPARATOR = '(?: ?[-./()]{1,3} ?| )'
const CHAIN = new RegExp(
  `(?<![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\d_+,#$€£¥%]|\\d\\.)[+(]{0,2}\\d+(?:${SEPARATOR}\\d+)*(?![\\p{Script=Latin}\\p{Script=Cyrillic}_%]|[.,:]\\d)`,
  'gu',
)
const GROUP = /[+(]{0,2}\d+/g
const MIN_DIGITS = 7
const MAX_DIGITS = 17
/** Between groups like these a new number may begin: two of them in a list or a table. */
const WIDE_SEPARATOR = / [-/.] |[()]/

/** A start in a chain of groups, with the windows from there on, the longest first. */
export interface PhoneStart {
  readonly position: number
  readonly windows: readonly PhoneWindow[]
}

/** Every place where a number may begin: after nothing, or after what separates numbers. The windows at a place are bounded by the most digits a number has, so the whole is linear. */
export function* phoneStarts(text: string): Iterable<PhoneStart> {
  for (const { 0: chain, index: offset } of occurrences(CHAIN, text)) {
    if (chain.length < MIN_DIGITS) continue
    const groups = Array.from(occurrences(GROUP, chain), ({ 0: group, index }) => ({ group, start: offset + index }))
    for (const [first, { group, start }] of groups.entries()) {
      const previous = groups[first - 1]
      const gap = previous === undefined ? '' : text.slice(previous.start + previous.group.length, start)
      const isFree = previous === undefined || WIDE_SEPARATOR.test(gap) || /^[+(]/.test(group)
      if (isFree) yield { position: start, windows: windowsFrom(text, groups, first) }
    }
  }
}

const windowsFrom = (
  text: string,
  groups: readonly { readonly group: string; readonly start: number }[],
  first: number,
): PhoneWindow[] => {
  const windows: PhoneWindow[] = []
  const start = groups[first]?.start ?? 0
  let digits = 0
  for (let last = first; last < groups.length; last += 1) {
    const added = groups[last]
    if (added === undefined) break
    digits += added.group.replace(/\D/g, '').length
    if (digits > MAX_DIGITS) break
    if (digits < MIN_DIGITS) continue
    const end = added.start + added.group.length
    const next = groups[last + 1]
    const endsChain = next === undefined || WIDE_SEPARATOR.test(text.slice(end, next.start)) || /^[+(]/.test(next.group)
    windows.unshift({ ...withoutOpenParenthesis(text.slice(start, end), start), end, digits, endsChain })
  }
  return windows
}

/** A parenthesis that opens before a number and closes after it, or never, belongs to the sentence. */
const withoutOpenParenthesis = (written: string, start: number): { written: string; start: number } =>
  written.startsWith('(') && written.split('(').length > written.split(')').length
    ? { written: written.slice(1), start: start + 1 }
    : { written, start }
