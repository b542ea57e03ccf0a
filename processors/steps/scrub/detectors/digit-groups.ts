import type { Span } from './detector.ts'
import { occurrences } from './occurrences.ts'

export interface NumberCandidate extends Span {
  readonly digits: string
  /** How many digits each group has: `[4, 4, 4, 4]`. */
  readonly grouping: readonly number[]
}

const CHAIN = /(?<![\p{L}\p{N}_])\d+(?:(?: ?[.-] ?| {1,2})\d+)*(?![\p{L}\p{N}_])/gu
const GROUP = /\d+/g

/**
 * Every run of neighbouring digit groups that has between `min` and `max` digits. A number printed in groups is found inside of a longer row
 * of numbers; work per group is bounded by `max`, so the whole is linear.
 */
export function* numberCandidates(text: string, min: number, max: number): Iterable<NumberCandidate> {
  for (const chain of occurrences(CHAIN, text)) {
    if (chain[0].length < min) continue
    const groups = groupsOf(chain[0], chain.index)
    for (const [first, group] of groups.entries()) {
      let digits = ''
      const grouping: number[] = []
      for (let last = first; last < groups.length && digits.length < max; last += 1) {
        const added = groups[last]
        if (added === undefined || digits.length + added.digits.length > max) break
        digits += added.digits
        grouping.push(added.digits.length)
        if (digits.length >= min) yield { start: group.start, end: added.end, digits, grouping: [...grouping] }
      }
    }
  }
}

const groupsOf = (chain: string, offset: number): NumberCandidate[] =>
  Array.from(occurrences(GROUP, chain), ({ 0: digits, index }) => ({
    start: offset + index,
    end: offset + index + digits.length,
    digits,
    grouping: [digits.length],
  }))

/** One decimal digit of any script as 0 to 9. In Unicode the ten of a script stand in a row, from its zero on. */
export const asciiDigit = (digit: string): string => {
  const compatible = digit.normalize('NFKC')
  if (/^[0-9]$/.test(compatible)) return compatible
  const codePoint = digit.codePointAt(0) ?? 0
  let zero = codePoint
  while (codePoint - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String(codePoint - zero)
}
