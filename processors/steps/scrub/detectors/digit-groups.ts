import { occurrences, type Span } from './detector.ts'

export interface NumberCandidate extends Span {
  readonly digits: string
  /** How many digits each group has: `4,4,4,4`. */
  readonly grouping: string
}

const CHAIN = /(?<![\p{L}\p{N}_])\d+(?:(?: ?[.-] ?| {1,2})\d+)*(?![\p{L}\p{N}_])/gu
const GROUP = /\d+/g

interface Bounds {
  /** Of digits. */
  readonly min: number
  readonly max: number
  readonly maxGroups: number
}

/**
 * Every run of at most so many neighbouring digit groups that has between `min` and `max` digits. A number printed in
 * groups is found inside of a longer row of numbers; work per group is bounded, so the whole is linear.
 */
export function* numberCandidates(text: string, { min, max, maxGroups }: Bounds): Iterable<NumberCandidate> {
  for (const { 0: chain, index: offset } of occurrences(CHAIN, text)) {
    if (chain.length < min) continue
    const groups = Array.from(occurrences(GROUP, chain), ({ 0: digits, index }) => ({ digits, start: offset + index }))
    for (const [first, { start }] of groups.entries()) {
      let digits = ''
      let grouping = ''
      for (const added of groups.slice(first, first + maxGroups)) {
        digits += added.digits
        if (digits.length > max) break
        grouping += `${grouping === '' ? '' : ','}${added.digits.length}`
        if (digits.length >= min) yield { start, end: added.start + added.digits.length, digits, grouping }
      }
    }
  }
}

/** One decimal digit of any script as 0 to 9. In Unicode the ten of a script stand in a row, from its zero on. */
export const asciiDigit = (digit: string): string => {
  const compatible = digit.normalize('NFKC')
  if (/^[0-9]$/.test(compatible)) return compatible
  const codePoint = digit.codePointAt(0) ?? 0
  let zero = codePoint
  while (codePoint - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String(codePoint - zero)
}
