import type { CountryCode } from 'libphonenumber-js/max'
import { occurrences, type Span } from './detector.ts'

/** The Luhn algorithm (ISO/IEC 7812-1, annex B). */
export const passesLuhn = (digits: string): boolean => {
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index])
    const doubled = digit * 2
    sum += index % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** The sum of each digit times the weight at its place. */
export const weightedSum = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0)

/** ISO/IEC 7064, MOD 11,10. */
export const passesMod1110 = (digits: string): boolean => {
  let product = 10
  for (const digit of digits.slice(0, -1)) {
    const sum = (Number(digit) + product) % 10
    product = ((sum === 0 ? 10 : sum) * 2) % 11
  }
  return (11 - product) % 10 === Number(digits.at(-1))
}

export const isDate = (year: number, month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()

/** Six digits, day, month and year; of the two centuries that the year may mean, the leap year decides. */
export const isDayFirstDate = (digits: string): boolean =>
  isDate(2000 + Number(digits.slice(4, 6)), Number(digits.slice(2, 4)), Number(digits.slice(0, 2)))

/** Six digits, year, month and day. */
export const isYearFirstDate = (digits: string): boolean =>
  isDate(2000 + Number(digits.slice(0, 2)), Number(digits.slice(2, 4)), Number(digits.slice(4, 6)))

/** `0000000000` and the like pass many checksums and are nobody's number. */
export const isOneDigitRepeated = (digits: string): boolean => /^(\d)\1*$/.test(digits)

/** A country's personal number: how it is written, and what tells it from any other number. */
export interface NationalScheme {
  /** Finds candidates. Global, and bounded in length, so that it stays linear. */
  readonly written: RegExp
  /** What its rules say of a candidate, its separators taken away and its letters upper case. */
  readonly isValid: (compact: string) => boolean
  /**
   * Words that must introduce it, where more than about two in a hundred random numbers written so would pass; absent
   * where its form and its check digits say enough.
   */
  readonly introducedBy?: RegExp
  /** Whose it is, where a word must introduce it: words of their languages for an identity number do too. */
  readonly countries?: readonly CountryCode[]
}

export interface NumberCandidate extends Span {
  readonly digits: string
  /** How many digits each group has: `4,4,4,4`. */
  readonly grouping: string
}

/** Not in names such as `blk_-4980916519894289629`. */
const CHAIN = /(?<![\p{L}\p{N}_])(?<!_-)\d+(?:(?: ?[.-] ?| {1,2})\d+)*(?![\p{L}\p{N}_])/gu
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

/**
 * One decimal digit of any script as 0 to 9. In Unicode the ten of a script stand in a row from its zero on, and a row
 * may follow another without a gap.
 */
export const asciiDigit = (digit: string): string => {
  const compatible = digit.normalize('NFKC')
  if (/^[0-9]$/.test(compatible)) return compatible
  const codePoint = digit.codePointAt(0) ?? 0
  let first = codePoint
  while (codePoint - first < MAX_ROWS && /\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1
  return String((codePoint - first) % 10)
}
/** No rows without a gap have more digits. */
const MAX_ROWS = 60
