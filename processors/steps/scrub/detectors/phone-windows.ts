import type { Span } from './detector.ts'
import { occurrences } from './occurrences.ts'

/** Neighbouring groups of digits that may be one number, as they are written. */
export interface PhoneWindow extends Span {
  readonly written: string
  /** How many digits it has, and how many groups of them. */
  readonly digits: number
  readonly groups: number
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

interface Group extends Span {
  readonly digits: number
  /** Whether a number may begin with it: after nothing, or after what separates numbers. */
  readonly isFree: boolean
}

/** Every place where a number may begin. The windows at a place are bounded by the most digits a number has, so the whole is linear. */
export function* phoneStarts(text: string): Iterable<PhoneStart> {
  for (const { 0: chain, index: offset } of occurrences(CHAIN, text)) {
    if (chain.length < MIN_DIGITS) continue
    const groups = groupsOf(chain, offset)
    for (const [first, { start, isFree }] of groups.entries()) {
      if (isFree) yield { position: start, windows: windowsFrom(text, groups, first) }
    }
  }
}

const groupsOf = (chain: string, offset: number): readonly Group[] => {
  const groups: Group[] = []
  let end = 0
  for (const { 0: group, index } of occurrences(GROUP, chain)) {
    const hasSign = group.startsWith('+') || group.startsWith('(')
    const isFree = groups.length === 0 || hasSign || WIDE_SEPARATOR.test(chain.slice(end, index))
    end = index + group.length
    const digits = hasSign ? group.replace(/\D/g, '').length : group.length
    groups.push({ start: offset + index, end: offset + end, digits, isFree })
  }
  return groups
}

const windowsFrom = (text: string, groups: readonly Group[], first: number): PhoneWindow[] => {
  const windows: PhoneWindow[] = []
  const start = groups[first]?.start ?? 0
  let digits = 0
  let open = 0
  let counted = start
  for (let last = first; last < groups.length; last += 1) {
    const added = groups[last]
    if (added === undefined) break
    const { end } = added
    digits += added.digits
    if (digits > MAX_DIGITS) break
    for (; counted < end; counted += 1) open += parenthesis(text[counted])
    if (digits < MIN_DIGITS) continue
    // A parenthesis that opens before a number and closes after it, or never, belongs to the sentence.
    const own = text[start] === '(' && open > 0 ? start + 1 : start
    const endsChain = groups[last + 1]?.isFree ?? true
    windows.push({ start: own, end, written: text.slice(own, end), digits, groups: last - first + 1, endsChain })
  }
  return windows.reverse()
}

const parenthesis = (character: string | undefined): number => (character === '(' ? 1 : character === ')' ? -1 : 0)
