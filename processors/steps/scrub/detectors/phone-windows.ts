import { occurrences, type Span } from './detector.ts'
import { extensionAt, labelBehind } from './phone-words.ts'

/** Neighbouring groups of digits that may be one number. */
export interface PhoneWindow extends Span {
  /** Text of the number without its extension; `end` is behind the extension. */
  readonly written: string
  readonly digits: number
  readonly groups: number
  /** True when no further group follows closely. */
  readonly endsChain: boolean
  /** The introduction of the extension: a sign such as `x`, or a word. */
  readonly extension: 'none' | 'sign' | 'word'
}

const SEPARATOR = '(?: ?[-./()]{1,3} ?| )'
const CHAIN = new RegExp(
  `(?<![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\d_+#$€£¥%]|\\d[.,-])[+(]{0,2}\\d+(?:${SEPARATOR}\\d+)*`,
  'gu',
)
const GROUP = /[+(]{0,2}\d+/g
const MIN_DIGITS = 7
const MAX_DIGITS = 17
/** Separators at which a new number may begin: two numbers in a list or a table. */
const WIDE_SEPARATOR = / [-/.] |[()]/
/**
 * Text behind the last group that makes the digits a part of something else: a unit, an identifier, a time, a decimal
 * fraction.
 */
const GOES_ON = /^(?:[\p{Script=Latin}\p{Script=Cyrillic}_%]|:\d)/u
const FRACTION = /^,\d{1,3}(?!\d|[-./() ]{1,3}\d)/
/** After a plus, this many digits are a phone number, whatever follows them. */
const DIGITS_AFTER_PLUS = 10

/** A start in a chain of groups with its windows, the longest first. */
export interface PhoneStart {
  readonly position: number
  readonly windows: readonly PhoneWindow[]
}

interface Group extends Span {
  readonly digits: number
  /** True when a number may begin here: after nothing, or after a separator of numbers. */
  readonly isFree: boolean
  /** Separator from the group before. */
  readonly separator: string
}

interface Chain {
  readonly groups: readonly Group[]
  /** A last group that belongs to the text behind it. The groups that hang together with it are left out. */
  readonly cut: Group | undefined
  /** End of the extension after the last group. */
  readonly extensionEnd: number | undefined
}

/**
 * Every position where a number may begin. The windows at a position are limited by the most digits of a number, so the
 * whole is linear.
 */
export function* phoneStarts(text: string): Iterable<PhoneStart> {
  for (const { 0: written, index: offset } of occurrences(CHAIN, text)) {
    if (written.length < MIN_DIGITS) continue
    const chain = chainOf(text, groupsOf(written, offset), offset + written.length)
    for (const [first, { start, isFree }] of chain.groups.entries()) {
      if (isFree) yield { position: start, windows: windowsFrom(text, chain, first) }
    }
  }
}

const chainOf = (text: string, groups: readonly Group[], end: number): Chain => {
  const extension = extensionAt(text, end)
  if (extension > 0) return { groups, cut: undefined, extensionEnd: end + extension }
  const last = groups.at(-1)
  const isWhole = last === undefined || !goesOn(text, end, last) || isLongAfterPlus(text, groups)
  return isWhole
    ? { groups, cut: undefined, extensionEnd: undefined }
    : { groups: groups.slice(0, loosened(groups)), cut: last, extensionEnd: undefined }
}

/** Index of the first group that hangs together with the last: `113310-43602-1` of `113310-43602-1m1t2o`. */
const loosened = (groups: readonly Group[]): number => {
  const first = groups.findLastIndex(({ separator, isFree }) => isFree || separator === ' ')
  return Math.max(0, first)
}

const goesOn = (text: string, end: number, { separator }: Group): boolean => {
  const next = text.slice(end, end + 8)
  return GOES_ON.test(next) ? labelBehind(text, end) === null : FRACTION.test(next) && !/[-)]/.test(separator)
}

const isLongAfterPlus = (text: string, groups: readonly Group[]): boolean => {
  const from = groups.findLastIndex(({ start }) => text[start] === '+' || text[start + 1] === '+')
  const digits = from < 0 ? 0 : groups.slice(from).reduce((sum, group) => sum + group.digits, 0)
  return digits >= DIGITS_AFTER_PLUS && digits <= MAX_DIGITS
}

const groupsOf = (chain: string, offset: number): readonly Group[] => {
  const groups: Group[] = []
  let end = 0
  for (const { 0: group, index } of occurrences(GROUP, chain)) {
    const hasSign = group.startsWith('+') || group.startsWith('(')
    const separator = chain.slice(end, index)
    const isFree = groups.length === 0 || hasSign || WIDE_SEPARATOR.test(separator)
    end = index + group.length
    const digits = hasSign ? group.replace(/\D/g, '').length : group.length
    groups.push({ start: offset + index, end: offset + end, digits, isFree, separator })
  }
  return groups
}

const windowsFrom = (text: string, { groups, cut, extensionEnd }: Chain, first: number): PhoneWindow[] => {
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
    const isLast = last === groups.length - 1
    const next = groups[last + 1] ?? cut
    const endsChain = next === undefined || next.isFree || (isLast && cut !== undefined)
    const hasExtension = isLast && extensionEnd !== undefined
    windows.push({
      start: own,
      end: hasExtension ? extensionEnd : end,
      written: text.slice(own, end),
      digits,
      groups: last - first + 1,
      endsChain,
      extension: hasExtension ? extensionKind(text.slice(end, extensionEnd)) : 'none',
    })
  }
  return windows.reverse()
}

const extensionKind = (extension: string): 'sign' | 'word' => (/\p{L}{2}/u.test(extension) ? 'word' : 'sign')

const parenthesis = (character: string | undefined): number => (character === '(' ? 1 : character === ')' ? -1 : 0)
