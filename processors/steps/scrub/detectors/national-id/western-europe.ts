import { introducing } from '../context.ts'
import {
  isDate,
  isDayFirstDate,
  isOneDigitRepeated,
  type NationalScheme,
  passesMod1110,
  weightedSum,
} from '../digits.ts'

/**
 * Sozialversicherungsnummer: the fourth digit checks the others, modulus 11 (ASVG section 30c); months up to 15 stand
 * for missing dates.
 */
const isAustrian = (digits: string): boolean => {
  const day = Number(digits.slice(4, 6))
  const month = Number(digits.slice(6, 8))
  if (digits.startsWith('0') || day < 1 || day > 31 || month < 1 || month > 15) return false
  return weightedSum(digits, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 === Number(digits[3])
}

const austria: readonly NationalScheme[] = [
  {
    written: /(?<![\w.-])\d{4}[ -]?\d{6}(?![\w-])/g,
    isValid: isAustrian,
    countries: ['AT'],
    introducedBy: introducing('sv-?(?:nummer|nr)|svnr|sozialversicherung\\p{L}*|versicherungsnummer'),
  },
]

/**
 * Rijksregisternummer: 97 less the nine digits modulo 97, with a 2 before them for births from 2000 on (Royal Decree of
 * 3 April 1984).
 */
const isBelgian = (digits: string): boolean => {
  const born = digits.slice(0, 9)
  const check = Number(digits.slice(9))
  const month = Number(digits.slice(2, 4)) % 20
  if (!isDate(2000 + Number(digits.slice(0, 2)), month, Number(digits.slice(4, 6)))) return false
  return 97 - (Number(born) % 97) === check || 97 - (Number(`2${born}`) % 97) === check
}

const belgium: readonly NationalScheme[] = [
  { written: /(?<![\w.-])\d{2}\.?\d{2}\.?\d{2}[- ]?\d{3}[. ]?\d{2}(?![\w-])/g, isValid: isBelgian },
]

/**
 * NIR: thirteen places and a key that completes the number to a multiple of 97; Corsica's 2A and 2B count as 19 and 18
 * (INSEE).
 */
const isFrench = (compact: string): boolean => {
  const number = compact.slice(0, 13).replace('2A', '19').replace('2B', '18')
  return 97 - Number(BigInt(number) % 97n) === Number(compact.slice(13))
}

const france: readonly NationalScheme[] = [
  {
    written:
      /(?<![\w-])[12][ .-]?\d{2}[ .-]?(?:0[1-9]|1[0-2]|[2-9]\d)[ .-]?(?:\d{2}|2[AB])[ .-]?\d{3}[ .-]?\d{3}[ .-]?\d{2}(?![\w-])/gi,
    isValid: isFrench,
  },
]

/** Steuer-ID: among its first ten digits one comes two or three times, and at least one is missing. */
const repeatsOne = (digits: string): boolean => {
  const counts = new Map<string, number>()
  for (const digit of digits.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1)
  const repeated = [...counts.values()].filter(count => count > 1)
  return repeated.length === 1 && (repeated[0] ?? 0) <= 3
}

/**
 * The letter of a Versicherungsnummer counts as its place in the alphabet, in two digits (VKVV section 2, with its
 * annex).
 */
const isGermanInsuranceNumber = (compact: string): boolean => {
  const letter = String(compact.charCodeAt(8) - 'A'.charCodeAt(0) + 1).padStart(2, '0')
  const digits = `${compact.slice(0, 8)}${letter}${compact.slice(9)}`
  const crossSums = Array.from(digits.slice(0, 12), (digit, index) => {
    const product = Number(digit) * (INSURANCE_WEIGHTS[index] ?? 0)
    return Math.floor(product / 10) + (product % 10)
  })
  return isDayFirstDate(compact.slice(2, 8)) && crossSums.reduce((a, b) => a + b, 0) % 10 === Number(compact.at(-1))
}

const INSURANCE_WEIGHTS = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1]

/** Steuerliche Identifikationsnummer (BZSt): one number in ten passes its check digit, so a word must introduce it. */
const germany: readonly NationalScheme[] = [
  {
    written: /(?<![\w.-])[1-9]\d ?\d{3} ?\d{3} ?\d{3}(?![\w-])/g,
    isValid: digits => repeatsOne(digits) && passesMod1110(digits),
    countries: ['DE'],
    introducedBy: introducing(
      'steuer[ _-]?(?:id|identifikations?-?nummer|nummer|nr)|id-?nr|idnr|tin|tax[ _-]?(?:id|number)',
    ),
  },
  { written: /(?<![\w.-])\d{2} ?\d{6} ?[A-Z] ?\d{3}(?![\w-])/gi, isValid: isGermanInsuranceNumber },
]

const LETTERS = 'WABCDEFGHIJKLMNOPQRSTUV'

/**
 * PPS number: the letter is the weighted sum modulo 23, a second letter counting nine times (Department of Social
 * Protection).
 */
const isIrish = (compact: string): boolean => {
  const second = compact[8]
  const extra = second === undefined || second === 'W' ? 0 : second.charCodeAt(0) - 'A'.charCodeAt(0) + 1
  return LETTERS[(weightedSum(compact, [8, 7, 6, 5, 4, 3, 2]) + 9 * extra) % 23] === compact[7]
}

const ireland: readonly NationalScheme[] = [
  {
    written: /(?<![\w.-])\d{7}[A-W][A-IW]?(?![\w-])/gi,
    isValid: isIrish,
    countries: ['IE'],
    introducedBy: introducing('pps(?:n|[ _-]?(?:number|no))?|personal public service number'),
  },
]

/**
 * The eleven test of the BSN (RvIG, Logisch Ontwerp BSN): one number in eleven passes it, so a word must introduce it.
 */
const isDutch = (digits: string): boolean =>
  !isOneDigitRepeated(digits) && weightedSum(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0

const netherlands: readonly NationalScheme[] = [
  {
    written: /(?<![\w-])\d{3}[ .]?\d{3}[ .]?\d{3}(?![\w-])/g,
    isValid: isDutch,
    countries: ['NL'],
    introducedBy: introducing('bsn|burgerservicenummers?|sofi-?nummer|persoonsnummer'),
  },
]

/** AHV number: the country's 756, then as an EAN-13 (Central Compensation Office). */
const isSwiss = (digits: string): boolean => weightedSum(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0

const switzerland: readonly NationalScheme[] = [
  { written: /(?<![\w.-])756(?:\.\d{4}\.\d{4}\.\d{2}|\d{10})(?![\w-])/g, isValid: isSwiss },
]

const NEVER_GIVEN: ReadonlySet<string> = new Set(['BG', 'GB', 'KN', 'NK', 'NT', 'TN', 'ZZ'])

/** National Insurance numbers have no check digit; some prefixes are never issued (HMRC, NIM39110). */
const isBritish = (compact: string): boolean => !NEVER_GIVEN.has(compact.slice(0, 2))

/** NHS number: modulus 11 (NHS Data Dictionary). */
const isHealthNumber = (digits: string): boolean => weightedSum(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0

const PREFIX = '[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]'

const unitedKingdom: readonly NationalScheme[] = [
  { written: new RegExp(`(?<![\\w-])${PREFIX} \\d{2} \\d{2} \\d{2} [A-D](?![\\w-])`, 'g'), isValid: isBritish },
  {
    written: new RegExp(`(?<![\\w-])${PREFIX}\\d{6}[A-D](?![\\w-])`, 'gi'),
    isValid: isBritish,
    countries: ['GB'],
    introducedBy: introducing('nino|ni(?:[ _-]?(?:number|no))?|national[ _-]?insurance(?:[ _-]?(?:number|no))?'),
  },
  {
    written: /(?<![\w.-])\d{3}[ -]?\d{3}[ -]?\d{4}(?![\w-])/g,
    isValid: isHealthNumber,
    countries: ['GB'],
    introducedBy: introducing('nhs(?:[ _-]?(?:number|no))?'),
  },
]

export const westernEurope: readonly NationalScheme[] = [
  austria,
  belgium,
  france,
  germany,
  ireland,
  netherlands,
  switzerland,
  unitedKingdom,
].flat()
