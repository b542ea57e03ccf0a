import { introducing } from '../context.ts'
import { isOneDigitRepeated, isYearFirstDate, type NationalScheme, passesLuhn, weightedSum } from '../digits.ts'

const checkDigit = (digits: string, weights: readonly number[]): number => {
  const rest = (weightedSum(digits, weights) * 10) % 11
  return rest === 10 ? 0 : rest
}

/** CPF: nine digits and two check digits, modulus 11 (Receita Federal). */
const isBrazilian = (digits: string): boolean =>
  !isOneDigitRepeated(digits) &&
  checkDigit(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) === Number(digits[9]) &&
  checkDigit(digits, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) === Number(digits[10])

const brazil: readonly NationalScheme[] = [
  { written: /(?<![\w.-])(?:\d{3}\.\d{3}\.\d{3}-\d{2}|\d{11})(?![\w-])/g, isValid: isBrazilian },
]

/** SIN: the Luhn digit (Employment and Social Development Canada). */
const CANADIAN_WORDS = introducing('sin|nas|social insurance(?:[ _-]?(?:number|no))?|assurance sociale')

/** TFN: modulus 11 (Australian Taxation Office). */
const isAustralianTaxFile = (digits: string): boolean => weightedSum(digits, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0

/** Medicare card number: the ninth digit checks the eight before it (Australian Department of Health). */
const isAustralianMedicare = (digits: string): boolean =>
  weightedSum(digits, [1, 3, 7, 9, 1, 3, 7, 9]) % 10 === Number(digits[8])

const canadaAustraliaSouthAfrica: readonly NationalScheme[] = [
  {
    written: /(?<![\w.-])[1-79]\d{2}[ -]?\d{3}[ -]?\d{3}(?![\w-])/g,
    isValid: passesLuhn,
    countries: ['CA'],
    introducedBy: CANADIAN_WORDS,
  },
  {
    written: /(?<![\w.-])\d{3}[ -]?\d{3}[ -]?\d{3}(?![\w-])/g,
    isValid: isAustralianTaxFile,
    countries: ['AU'],
    introducedBy: introducing('tfn|tax file(?:[ _-]?(?:number|no))?'),
  },
  {
    written: /(?<![\w.-])[2-6]\d{3}[ -]?\d{5}[ -]?\d(?![\w-])/g,
    isValid: isAustralianMedicare,
    countries: ['AU'],
    introducedBy: introducing('medicare(?:[ _-]?(?:card|number|no))*'),
  },
  {
    // A date, a running number, 0 or 1 for citizenship, and the Luhn digit (South African Department of Home Affairs).
    written: /(?<![\w.-])\d{6} ?\d{4} ?[01]\d{2}(?![\w-])/g,
    isValid: digits => isYearFirstDate(digits.slice(0, 6)) && passesLuhn(digits),
    countries: ['ZA'],
    introducedBy: introducing('(?:south african |rsa |sa )?(?:id|identity)(?:[ _-]?(?:number|no))?'),
  },
]

/** RUT: modulus 11 with the weights 2 to 7 from the right, K for ten (Chile, SII). */
const isChilean = (compact: string): boolean => {
  const sum = Array.from(compact.slice(0, -1))
    .toReversed()
    .reduce((total, digit, index) => total + Number(digit) * (2 + (index % 6)), 0)
  return '0K987654321'[sum % 11] === compact.at(-1)
}

/** CUIL of a person: 20, 23, 24 or 27 first, modulus 11 (Argentina, ANSES). */
const isArgentine = (digits: string): boolean => {
  const rest = weightedSum(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11
  return (rest === 0 ? 0 : 11 - rest) === Number(digits[10])
}

const MEXICAN_VALUES = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ'

/** CURP: a date in it and a check digit over 37 characters (Mexico, RENAPO). */
const isMexican = (compact: string): boolean => {
  const sum = Array.from(compact.slice(0, 17)).reduce(
    (total, character, index) => total + MEXICAN_VALUES.indexOf(character) * (18 - index),
    0,
  )
  return isYearFirstDate(compact.slice(4, 10)) && (10 - (sum % 10)) % 10 === Number(compact[17])
}

const spanishAmerica: readonly NationalScheme[] = [
  { written: /(?<![\w.-])\d{1,2}\.\d{3}\.\d{3}-[\dK](?![\w-])/gi, isValid: isChilean },
  {
    written: /(?<![\w.-])\d{7,8}-?[\dK](?![\w-])/gi,
    isValid: isChilean,
    countries: ['CL'],
    introducedBy: introducing('rut|rol [úu]nico \\p{L}*'),
  },
  { written: /(?<![\w.-])(?:20|23|24|27)-\d{8}-\d(?![\w-])/g, isValid: isArgentine },
  {
    written: /(?<![\w.-])(?:20|23|24|27)\d{9}(?![\w-])/g,
    isValid: isArgentine,
    countries: ['AR'],
    introducedBy: introducing('cui[lt]'),
  },
  { written: /(?<![\w-])[A-Z]{4}\d{6}[HMX][A-Z]{2}[B-DF-HJ-NP-TV-ZÑ]{3}[A-Z\d]\d(?![\w-])/gi, isValid: isMexican },
]

/** Invalid: printed in advertisements and copied since. */
const NEVER_VALID: ReadonlySet<string> = new Set(['078051120', '219099999'])

/**
 * Social Security numbers have no check digit; some numbers are never issued (SSA, POMS RM 10201.035), and 9xx are
 * taxpayer numbers.
 */
const isAmerican = (digits: string): boolean => {
  const area = digits.slice(0, 3)
  const group = digits.slice(3, 5)
  if (area === '000' || area === '666' || group === '00' || digits.slice(5) === '0000' || NEVER_VALID.has(digits))
    return false
  return !area.startsWith('9') || /^(?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])$/.test(group)
}

const unitedStates: readonly NationalScheme[] = [
  { written: /(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])/g, isValid: isAmerican },
  {
    written: /(?<![\w-])\d{3} ?\d{2} ?\d{4}(?![\w-])/g,
    isValid: isAmerican,
    countries: ['US'],
    introducedBy: introducing('ssns?|itin|social[ _-]?security(?:[ _-]?(?:number|no))?|taxpayer[ _-]?id\\p{L}*'),
  },
]

export const americasAndCommonwealth: readonly NationalScheme[] = [
  brazil,
  canadaAustraliaSouthAfrica,
  spanishAmerica,
  unitedStates,
].flat()
