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

/** Six digits: day, month, year. Both centuries of a two-digit year are possible; 2000 accepts 29 February. */
export const isDayFirstDate = (digits: string): boolean =>
  isDate(2000 + Number(digits.slice(4, 6)), Number(digits.slice(2, 4)), Number(digits.slice(0, 2)))

/** Six digits: year, month, day. Both centuries are possible, as in `isDayFirstDate`. */
export const isYearFirstDate = (digits: string): boolean =>
  isDate(2000 + Number(digits.slice(0, 2)), Number(digits.slice(2, 4)), Number(digits.slice(4, 6)))

/** `0000000000` and the like pass many checksums, but nobody has them. */
export const isOneDigitRepeated = (digits: string): boolean => /^(\d)\1*$/.test(digits)

/** A country's personal number: its written form, and the rule that tells it from other numbers. */
export interface NationalScheme {
  /** Finds candidates. Global, with bounded length, so that it stays linear. */
  readonly written: RegExp
  /** Checks a candidate without separators, in upper case. */
  readonly isValid: (compact: string) => boolean
  /**
   * Words that must introduce the number when more than about 2 % of random numbers in this form pass; absent when form
   * and check digits suffice.
   */
  readonly introducedBy?: RegExp
  /**
   * Countries of the number, when a word must introduce it: words of their languages for identity numbers count, too.
   */
  readonly countries?: readonly CountryCode[]
}

export interface NumberCandidate extends Span {
  readonly digits: string
  /** Digits of each group: `4,4,4,4`. */
  readonly grouping: string
}

/** Names such as `blk_-4980916519894289629` are excluded. */
const CHAIN = /(?<![\p{L}\p{N}_])(?<!_-)\d+(?:(?: ?[.-] ?| {1,2})\d+)*(?![\p{L}\p{N}_])/gu
const GROUP = /\d+/g

interface Bounds {
  /** Numbers of digits. */
  readonly min: number
  readonly max: number
  readonly maxGroups: number
}

/**
 * Every run of at most `maxGroups` neighbouring digit groups with `min` to `max` digits. Finds a grouped number inside
 * of a longer row of numbers. The work for each group is bounded, so the whole is linear.
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
 * One decimal digit of any script as 0 to 9. Unicode puts the ten digits of a script in a row; another row may follow
 * without a gap.
 */
export const asciiDigit = (digit: string): string => {
  const compatible = digit.normalize('NFKC')
  if (/^[0-9]$/.test(compatible)) return compatible
  const codePoint = digit.codePointAt(0) ?? 0
  let first = codePoint
  while (codePoint - first < MAX_ROWS && /\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1
  return String((codePoint - first) % 10)
}
/** The longest series of adjacent rows is shorter. */
const MAX_ROWS = 60
