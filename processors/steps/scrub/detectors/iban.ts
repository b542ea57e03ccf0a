import { introducing, introductionAt, isIntroducedBy } from './context.ts'
import { type Detector, occurrences } from './detector.ts'
import { introducedAs } from './introduced.ts'

/** Length of each country's numbers (SWIFT's IBAN registry, release 99). */
const LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ' +
    'ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 ' +
    'LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 ' +
    'PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map(country => [country.slice(0, 2), Number(country.slice(2))]),
)

const BEGIN = /(?<![\p{L}\p{N}_])[a-z]{2}\d{2}(?=[ ._/·-]?[a-z0-9])/giu
const CHARACTER = /[a-z0-9]/i
/** A sign that may stand between two groups. */
const GAP = /[ ._/·-]/
const WORD_CHARACTER = /[\p{L}\p{N}_]/u

const LONGEST = 34

/** Words after which a length other than the country's is accepted. */
const BANK_WORDS = introducing(
  'iban|accounts?|bank\\p{L}*|wire|transfer|konto|kontonummer|überweis\\p{L}*|compte|virement|rib|cuenta|transferencia|conto|bonifico|rekening\\p{L}*|rachun\\p{L}*|przelew|conta|transferência',
)

/**
 * International bank account numbers (ISO 13616): a country, its length, and the right check digits; in groups or not.
 */
export const iban: Detector = {
  kind: 'IBAN',
  *find(text) {
    for (const { 0: begin, index } of occurrences(BEGIN, text)) {
      const length = LENGTHS.get(begin.slice(0, 2).toUpperCase())
      if (length === undefined) continue
      const account = accountAt(text, index, length) ?? accountOfAnotherLength(text, index)
      if (account !== null && passesMod97(account.compact)) yield { start: index, end: account.end }
    }
  },
}

interface Account {
  readonly compact: string
  readonly end: number
}

/**
 * The next `length` letters and digits from a position, with at most one sign between two of them and none after them.
 */
const accountAt = (text: string, start: number, length: number): Account | null => {
  let compact = ''
  let end = start
  while (compact.length < length) {
    const isGap = GAP.test(text[end] ?? '')
    const character = text[isGap ? end + 1 : end] ?? ''
    if (!CHARACTER.test(character)) return null
    compact += character
    end += isGap ? 2 : 1
  }
  return WORD_CHARACTER.test(text[end] ?? '') ? null : { compact: compact.toUpperCase(), end }
}

const TOKEN = /^[a-z]{2}\d{2}[a-z0-9]{11,30}(?![\p{L}\p{N}_])/iu

const accountOfAnotherLength = (text: string, start: number): Account | null => {
  const token = TOKEN.exec(text.slice(start, start + LONGEST + 1))?.[0]
  return token !== undefined &&
    (isIntroducedBy(BANK_WORDS, text, start) || introducedAs(introductionAt(text, start)).has('account'))
    ? { compact: token.toUpperCase(), end: start + token.length }
    : null
}

/** ISO/IEC 7064, MOD 97-10, with the first four characters moved behind and letters counted from ten on. */
const passesMod97 = (compact: string): boolean => {
  let rest = 0
  for (const character of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}
