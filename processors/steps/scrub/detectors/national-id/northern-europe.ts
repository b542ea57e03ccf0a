import { introducing } from '../context.ts'
import { isDate, isDayFirstDate, isYearFirstDate, type NationalScheme, passesLuhn, weightedSum } from '../digits.ts'

/**
 * Isikukood and asmens kodas: sex and century, a date, modulus 11 with a second row of weights (Estonia, EVS 585;
 * Lithuania counts alike).
 */
const isValid = (digits: string): boolean => {
  const first = weightedSum(digits, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11
  const check = first === 10 ? (weightedSum(digits, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11) % 10 : first
  const born = isDate(2000 + Number(digits.slice(1, 3)), Number(digits.slice(3, 5)), Number(digits.slice(5, 7)))
  return born && check === Number(digits[10])
}

const balticCountries: readonly NationalScheme[] = [
  {
    written: /(?<![\w.-])[1-6]\d{10}(?![\w-])/g,
    isValid,
    countries: ['EE', 'LT'],
    introducedBy: introducing('isikukood|asmens kod\\p{L}*|personal code'),
  },
]

/**
 * Personnummer: a date and the Luhn digit over the ten last digits (Skatteverket, SKV 704); 60 more in a
 * samordningsnummer's day.
 */
const isSwedish = (compact: string): boolean => {
  const digits = compact.replace('+', '').slice(-10)
  const day = Number(digits.slice(4, 6))
  const date = `${digits.slice(0, 4)}${String(day > 60 ? day - 60 : day).padStart(2, '0')}`
  return isYearFirstDate(date) && passesLuhn(digits)
}

/** Fødselsnummer: two check digits (Skatteetaten); 40 more in a D-number's day. */
const isNorwegian = (digits: string): boolean => {
  const day = Number(digits.slice(0, 2))
  const date = `${String(day > 40 ? day - 40 : day).padStart(2, '0')}${digits.slice(2, 6)}`
  return (
    isDayFirstDate(date) &&
    weightedSum(digits, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) % 11 === 0 &&
    weightedSum(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0
  )
}

const FINNISH_CHECK = '0123456789ABCDEFHJKLMNPRSTUVWXY'

/**
 * Henkilötunnus: the nine digits modulo 31 (DVV); the sign in the middle tells the century, since 2023 one of several.
 */
const isFinnish = (compact: string): boolean => {
  const digits = compact.replace(/[+A-FU-Y]/, '')
  const check = FINNISH_CHECK[Number(digits.slice(0, 9)) % 31]
  return isDayFirstDate(digits.slice(0, 6)) && check === compact.at(-1)
}

const nordicCountries: readonly NationalScheme[] = [
  { written: /(?<![\w.-])(?:19|20)?\d{6}[-+]\d{4}(?![\w-])/g, isValid: isSwedish },
  // Twelve digits alone: an order's number may begin with a year, but hardly with one of the last century.
  { written: /(?<![\w.-])19\d{10}(?![\w-])/g, isValid: isSwedish },
  {
    written: /(?<![\w.-])(?:19|20)?\d{10}(?![\w-])/g,
    isValid: isSwedish,
    countries: ['SE'],
    introducedBy: introducing('person-?nummer\\p{L}*|person-?nr|pnr|samordningsnummer'),
  },
  { written: /(?<![\w.-])\d{6} ?\d{5}(?![\w-])/g, isValid: isNorwegian },
  {
    // Numbers without a right check digit have been issued since 2007 (CPR-kontoret), so the date and the word decide.
    written: /(?<![\w.-])\d{6}-?\d{4}(?![\w-])/g,
    isValid: digits => isDayFirstDate(digits.slice(0, 6)),
    countries: ['DK'],
    introducedBy: introducing('cpr(?:[ _-]?(?:nummer|nr|number|no))?|personnummer'),
  },
  { written: /(?<![\w.-])\d{6}[-+A-FU-Y]\d{3}[\dA-FHJ-NPR-Y](?![\w-])/g, isValid: isFinnish },
]

export const northernEurope: readonly NationalScheme[] = [balticCountries, nordicCountries].flat()
