import { decodedValues } from './base64.ts'
import { card } from './detectors/card.ts'
import { cryptoAddress } from './detectors/crypto-address.ts'
import { type Detector, occurrences, type PersonalDataKind, type Span, withoutOverlap } from './detectors/detector.ts'
import { email, spelledEmail } from './detectors/email.ts'
import { iban } from './detectors/iban.ts'
import { ipAddress } from './detectors/ip-address.ts'
import { looseEmail } from './detectors/loose-email.ts'
import { nationalId } from './detectors/national-id/national-id.ts'
import { type NumberingPlans, numberingPlans } from './detectors/numbering-plans.ts'
import { phone } from './detectors/phone.ts'
import { spacedRows, withSpacedRows } from './group-signs.ts'
import { type Finding, overLines } from './over-lines.ts'
import { reading } from './reading.ts'
import type { Reading } from './shifts.ts'
import { viewsOverLines } from './views.ts'

const UUID = /(?<![\w-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\w-])/gi
const DAY_FIRST_DATE = /(?<![\d./-])[0-3]?\d([./-])[01]?\d\1(?:19|20)\d\d(?!\d|\.\d)/g
const YEAR_FIRST_DATE = /(?<![\d./-])(?:19|20)\d\d([./-])[01]\d\1[0-3]\d(?:[T ][0-2]\d:[0-5]\d(?::[0-5]\d)?)?(?!\d)/g
const YEARS = /(?<![\d./-])(?:19|20)\d\d[-/](?:19|20)\d\d(?![\d./-])/g
/** An ISBN with its prefix; its hyphens resemble a phone number's. Words before it protect other ISBNs. */
const ISBN = /(?<![\d-])97[89]-\d{1,5}-\d{1,7}-\d{1,7}-\d(?![\d-])/g
/** A commit, told by the word or the path before it: some short ones are digits alone, as a phone number is. */
const COMMIT =
  /(?<![\p{L}\d])(?:commits?|merge|rev|revision|changeset|sha)[ /:@]{1,2}[0-9a-f]{7,40}(?![\p{L}\d])|\[`?[0-9a-f]{7,40}`?\](?=\(https?:\/\/[^\s()]{1,200}\/commit\/)/giu
const CVE = /(?<![\p{L}\d])CVE-\d{4}-\d{4,7}(?![\p{L}\d])/giu
/** A range of numbers. Phones are also printed as five digits and five. */
const RANGE =
  /(?<![\p{L}\d])(?:(?:ranges?|ports?|pages?|uids?|gids?|rows?) \d{1,9}[-–]\d{1,9}(?![-. ]?\d)|\d{1,9}[-–]\d{1,9}(?= range))/giu
const STATES =
  'A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]'
/** A ZIP code of the United States behind its state. */
const ZIP_CODE = new RegExp(`(?<![\\p{L}\\d])(?:${STATES}),? \\d{5}-\\d{4}(?![\\d-])`, 'gu')

const PROTECTED = [UUID, DAY_FIRST_DATE, YEAR_FIRST_DATE, YEARS, ISBN, COMMIT, CVE, RANGE, ZIP_CODE]

/** Forms that are nobody's number: UUIDs, dates, ranges, ISBNs, commits and codes. Unordered. */
export const protectedSpans = (text: string): Span[] =>
  PROTECTED.flatMap(pattern =>
    Array.from(occurrences(pattern, text), match => ({ start: match.index, end: match.index + match[0].length })),
  )

/** The most certain detector first: the earlier one names characters that two detectors find. */
const OF_WORDS: readonly Detector[] = [email, looseEmail, spelledEmail]
const OF_NUMBERS: readonly Detector[] = [iban, ipAddress, card, nationalId, phone]
/** Letters and digits with a checksum that hardly any other text passes. */
const OF_TOKENS: readonly Detector[] = [cryptoAddress]
/** The shortest number has four digits beside letters; the shortest network address has one. */
const MAY_HOLD_NUMBERS = /\d(?:[^\d]{0,6}\d){3}/
const MAY_HOLD_ADDRESS = /\d\.\d{1,3}\.\d|[0-9a-f]:[0-9a-f]*:|::/i
const MAY_HOLD_TOKENS = /\b[a-z0-9]{26}/i
const MAY_HOLD_WORDS = /@| (?:at|arroba|arobase|chiocciola|apenstaartje|małpa|klammeraffe|собака) /i

export type Replaced = Map<PersonalDataKind, number>

interface PersonalData extends Span {
  readonly kind: PersonalDataKind
}

export const placeholder = (kind: PersonalDataKind): string => `[${kind}]`

/** Distance from a finding within which it may have hidden another. */
const NEAR = 3
const MORE = /[\d@+]/
const MAX_LOOKS = 4

/**
 * The text with a placeholder for all personal data that the detectors find, counted in `replaced`. The texts of one
 * signal share `plans`. When a digit stands close to a placeholder the text is searched again, because two numbers
 * without a gap hide each other.
 */
export const redact = (text: string, replaced: Replaced, plans = numberingPlans()): string => {
  let clean = text
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    const found = findPersonalData(clean, plans)
    const redacted = withPlaceholders(clean, found, replaced)
    const isDone = !found.some(span => hasMoreNear(clean, span))
    clean = redacted
    if (isDone) break
  }
  return clean
}

const withPlaceholders = (text: string, found: readonly PersonalData[], replaced: Replaced): string => {
  let redacted = ''
  let copied = 0
  for (const { start, end, kind } of found) {
    redacted += text.slice(copied, start) + placeholder(kind)
    copied = end
    replaced.set(kind, (replaced.get(kind) ?? 0) + 1)
  }
  return copied === 0 ? text : redacted + text.slice(copied)
}

const hasMoreNear = (text: string, { start, end }: Span): boolean =>
  MORE.test(text.slice(Math.max(0, start - NEAR), start)) || MORE.test(text.slice(end, end + NEAR))

/** Personal data of a text, in order and without overlap. */
export const findPersonalData = (text: string, plans = numberingPlans()): readonly PersonalData[] =>
  findIn(reading(text), plans, MAX_ENCODINGS)

/** Depth to which nested base64 is decoded. */
const MAX_ENCODINGS = 2

/** Personal data of a text as it is read: in base64 values, on lines, and over line breaks. */
const findIn = ({ text, at }: Reading, plans: NumberingPlans, encodings: number): readonly PersonalData[] => {
  const inEncoded =
    encodings === 0
      ? []
      : decodedValues(text).flatMap(({ start, end, text: decoded }) => {
          const [first] = findIn(reading(decoded), plans, encodings - 1)
          return first === undefined ? [] : [{ start, end, kind: first.kind }]
        })
  const views = viewsOverLines(text).map(view => [view, detect(view.text, plans)] as const)
  const found = overLines(text, detect(text, plans), views)
  return merge(withoutOverlap(inEncoded), found)
    .filter(isPersonal)
    .map(({ start, end, kind }) => ({ start: at(start), end: at(end), kind }))
}

const isPersonal = (finding: Finding): finding is PersonalData => finding.kind !== null

/** Findings of the detectors and protected forms. Digits between signs are also read as digits between spaces. */
const detect = (text: string, plans: NumberingPlans): readonly Finding[] => {
  const found = detectWritten(text, plans)
  const spaced = spacedRows(text)
  return spaced === null ? found : withSpacedRows(found, detectWritten(spaced.text, plans), spaced.rows)
}

const detectWritten = (text: string, plans: NumberingPlans): readonly Finding[] => {
  let chosen: readonly Finding[] = []
  if (MAY_HOLD_WORDS.test(text)) for (const detector of OF_WORDS) chosen = add(chosen, detector, text, plans)
  if (MAY_HOLD_TOKENS.test(text)) for (const detector of OF_TOKENS) chosen = add(chosen, detector, text, plans)
  if (MAY_HOLD_NUMBERS.test(text) || MAY_HOLD_ADDRESS.test(text)) {
    chosen = merge(chosen, withoutOverlap(protectedSpans(text).map(span => ({ ...span, kind: null }))))
    for (const detector of OF_NUMBERS) chosen = add(chosen, detector, text, plans)
  }
  return chosen
}

const add = (
  chosen: readonly Finding[],
  { kind, find }: Detector,
  text: string,
  plans: NumberingPlans,
): readonly Finding[] => merge(chosen, withoutOverlap(Array.from(find(text, plans), span => ({ ...span, kind }))))

/** Adds to `chosen` those of `added` that touch none of `chosen`. Both are in order, so one pass suffices. */
const merge = (chosen: readonly Finding[], added: readonly Finding[]): readonly Finding[] => {
  if (added.length === 0) return chosen
  let next = 0
  const free = added.filter(span => {
    while ((chosen[next]?.end ?? Number.POSITIVE_INFINITY) <= span.start) next += 1
    return (chosen[next]?.start ?? Number.POSITIVE_INFINITY) >= span.end
  })
  return [...chosen, ...free].toSorted((a, b) => a.start - b.start)
}
