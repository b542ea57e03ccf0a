import { introductionAt, isIntroducedBy, THING_NUMBER } from '../context.ts'
import { type Detector, occurrences, type Span } from '../detector.ts'
import type { NationalScheme } from '../digits.ts'
import { introducedAs } from '../introduced.ts'
import { CLEAR_CALL, PHONE_LABEL } from '../phone-words.ts'
import { americasAndCommonwealth } from './americas-and-commonwealth.ts'
import { asia } from './asia.ts'
import { checksumsByWeight } from './checksums-by-weight.ts'
import { northernEurope } from './northern-europe.ts'
import { southernAndEasternEurope } from './southern-and-eastern-europe.ts'
import { westernEurope } from './western-europe.ts'

/** A digit with any separator before it, for a number that a word has introduced. */
const SEPARATED_DIGIT = '(?:[ ./-]?\\d)'
const SEPARATOR = /(?: |-|\[[ .-]+\])\?/g

/** The same number with its digits grouped in any way, for a number that a word introduces: `SSN# 536.90.4399`. */
const groupedAnyhow = ({ written, ...scheme }: NationalScheme): NationalScheme => ({
  ...scheme,
  written: new RegExp(
    written.source.replace(SEPARATOR, '[ ./-]?').replace(/\\d(\{[\d,]+\})/g, `${SEPARATED_DIGIT}$1`),
    written.flags,
  ),
})

const ALL: readonly NationalScheme[] = [
  westernEurope,
  southernAndEasternEurope,
  northernEurope,
  asia,
  americasAndCommonwealth,
  checksumsByWeight,
].flat()
const TELLING = ALL.filter(scheme => scheme.introducedBy === undefined)
const INTRODUCED = ALL.filter(scheme => scheme.introducedBy !== undefined).map(groupedAnyhow)

/** Any word that may introduce a number of `INTRODUCED`. */
const INTRODUCING = new RegExp(INTRODUCED.map(({ introducedBy }) => introducedBy?.source).join('|'), 'iu')
/** Beginning of digits that a word may introduce. */
const BEGINS = /\d(?:[ ./-]?\d){5}/g
/** Letters before the digits of some numbers. */
const LETTERS_BEFORE = /(?<![\p{L}\d])[A-Z]{2}$/iu
/** Longest number with its separators. */
const MAX_LENGTH = 40

/**
 * Passports share no rule: seven to nine digits and letters, or the groups of some countries. A word must introduce
 * them.
 */
const PASSPORT =
  /(?<![\w.-])(?:\d{2} ?\d{2} \d{6}|[A-Z]{2} \d{6,7}|(?=(?:[A-Za-z]{0,3}\d){4})[A-Za-z\d]{7,9})(?![\w-])/g

const PLAIN = /^[\d -]+$/

/** National identity numbers of many countries, each by its own rules. */
export const nationalId: Detector = {
  kind: 'NATIONAL_ID',
  *find(text) {
    for (const piece of piecesWithDigits(text)) {
      const part = text.slice(piece.start, piece.end)
      for (const { written, isValid } of TELLING) {
        for (const { 0: found, index } of occurrences(written, part)) {
          const start = piece.start + index
          // One number in fifty passes by chance. A plain number after a word for a thing's number is the thing's.
          if (isValid(compact(found)) && !(PLAIN.test(found) && isOfSomethingElse(text, start)))
            yield { start, end: start + found.length }
        }
      }
      for (const { index } of occurrences(BEGINS, part)) {
        const letters = LETTERS_BEFORE.exec(part.slice(Math.max(0, index - 3), index))?.[0].length ?? 0
        yield* introducedNumbers(text, piece.start + index - letters)
      }
      for (const { 0: found, index } of occurrences(PASSPORT, part)) {
        const start = piece.start + index
        if (introducedAs(introductionAt(text, start)).has('passport')) yield { start, end: start + found.length }
      }
    }
  },
}

/** Numbers that the words right before a position introduce. */
function* introducedNumbers(text: string, position: number): Iterable<Span> {
  const introduction = introductionAt(text, position)
  if (introduction === '') return
  const identity = introducedAs(introduction).get('identity')?.countries ?? []
  if (identity.length === 0 && !INTRODUCING.test(introduction)) return
  const begin = Math.max(0, position - 1)
  const part = text.slice(begin, position + MAX_LENGTH)
  for (const { written, isValid, introducedBy, countries = [] } of INTRODUCED) {
    written.lastIndex = 0
    const found = written.exec(part)
    if (found === null || !isValid(compact(found[0]))) continue
    const start = begin + found.index + separatorsBefore(found[0])
    if (start !== position) continue
    if (introducedBy?.test(introduction) || countries.some(country => identity.includes(country)))
      yield { start, end: begin + found.index + found[0].length }
  }
}

const compact = (found: string): string => found.replace(/[ ./()-]/g, '').toUpperCase()

/** Longest identity number with its separators, on either side of one of its digits. */
const LONGEST = 32
/** Digits further apart belong to different pieces. */
const APART = 200
const LEAST_DIGITS = 4
const DIGIT = /\d/g

/**
 * Pieces of a text around digits, where an identity number may be. The rules read these pieces alone, not the prose
 * between them.
 */
function* piecesWithDigits(text: string): Iterable<Span> {
  let first = -1
  let last = -1
  let digits = 0
  for (const { index } of occurrences(DIGIT, text)) {
    if (first >= 0 && index - last > APART) {
      if (digits >= LEAST_DIGITS) yield { start: Math.max(0, first - LONGEST), end: last + LONGEST }
      first = -1
    }
    if (first < 0) {
      first = index
      digits = 0
    }
    last = index
    digits += 1
  }
  if (digits >= LEAST_DIGITS) yield { start: Math.max(0, first - LONGEST), end: last + LONGEST }
}

const separatorsBefore = (found: string): number => found.search(/[^ ./-]/)

const isOfSomethingElse = (text: string, index: number): boolean =>
  isIntroducedBy(THING_NUMBER, text, index) ||
  isIntroducedBy(PHONE_LABEL, text, index) ||
  isIntroducedBy(CLEAR_CALL, text, index) ||
  COUNTRY_CODE_BEFORE.test(text.slice(Math.max(0, index - 6), index))

const COUNTRY_CODE_BEFORE = /\+(?:\d{1,3}[ -])?$/
