import type { CountryCode } from 'libphonenumber-js/max'
import { introducing } from '../context.ts'
import { isDate, isDayFirstDate, isYearFirstDate, type NationalScheme, passesLuhn, weightedSum } from '../digits.ts'

/**
 * Numbers of digits alone. A word must introduce them, since one in ten or eleven random numbers has the right check
 * digit.
 */
interface WeightedNumber {
  readonly countries: readonly CountryCode[]
  readonly words: string
  readonly length: number
  readonly isValid: (digits: string) => boolean
}

/** The weighted sum modulo 11; 10 counts as 0. */
const rest11 = (digits: string, weights: readonly number[]): number => (weightedSum(digits, weights) % 11) % 10
/** The difference of the weighted sum to the next multiple of 11; 10 and 11 count as 0. */
const lack11 = (digits: string, weights: readonly number[]): number =>
  ((11 - (weightedSum(digits, weights) % 11)) % 11) % 10

const isTaxpayerOfRussia = (digits: string): boolean =>
  rest11(digits, [7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) === Number(digits[10]) &&
  rest11(digits, [3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) === Number(digits[11])

const isInsuredInRussia = (digits: string): boolean =>
  (weightedSum(digits, [9, 8, 7, 6, 5, 4, 3, 2, 1]) % 101) % 100 === Number(digits.slice(9))

const isKazakh = (digits: string): boolean => {
  const first = weightedSum(digits, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) % 11
  const check = first < 10 ? first : weightedSum(digits, [3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2]) % 11
  return isYearFirstDate(digits.slice(0, 6)) && check === Number(digits[11])
}

const isYugoslav = (digits: string): boolean => {
  const year = Number(digits.slice(4, 7)) + (digits[4] === '0' ? 2000 : 1000)
  const born = isDate(year, Number(digits.slice(2, 4)), Number(digits.slice(0, 2)))
  return born && lack11(digits, [7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) === Number(digits[12])
}

const isLatvian = (digits: string): boolean =>
  isDayFirstDate(digits.slice(0, 6)) &&
  ((1101 - weightedSum(digits, [1, 6, 3, 7, 9, 10, 5, 8, 4, 2])) % 11) % 10 === Number(digits[10])

const isIranian = (digits: string): boolean => {
  const rest = weightedSum(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11
  return (rest < 2 ? rest : 11 - rest) === Number(digits[9])
}

const WEIGHTED: readonly WeightedNumber[] = [
  { countries: ['RU'], words: 'инн|inn', length: 12, isValid: isTaxpayerOfRussia },
  { countries: ['RU'], words: 'снилс|snils', length: 11, isValid: isInsuredInRussia },
  {
    countries: ['UA'],
    words: 'рнокпп|іпн|ідентифікаційний (?:код|номер)',
    length: 10,
    isValid: digits => rest11(digits, [10, 5, 7, 9, 4, 6, 10, 5, 7]) === Number(digits[9]),
  },
  { countries: ['KZ'], words: 'жсн|иин|iin', length: 12, isValid: isKazakh },
  {
    countries: ['RS', 'BA', 'ME', 'MK', 'SI'],
    words: 'jmbg|јмбг|emšo|emso|емшг|ембг',
    length: 13,
    isValid: isYugoslav,
  },
  {
    countries: ['SI'],
    words: 'davčna(?: številka)?',
    length: 8,
    isValid: digits => lack11(digits, [8, 7, 6, 5, 4, 3, 2]) === Number(digits[7]),
  },
  {
    countries: ['HU'],
    words: 'taj(?:[ -]?szám\\p{L}{0,10})?',
    length: 9,
    isValid: digits => weightedSum(digits, [3, 7, 3, 7, 3, 7, 3, 7]) % 10 === Number(digits[8]),
  },
  {
    countries: ['HU'],
    words: 'adóazonosító(?: jel\\p{L}{0,6})?',
    length: 10,
    isValid: digits => digits[0] === '8' && weightedSum(digits, [1, 2, 3, 4, 5, 6, 7, 8, 9]) % 11 === Number(digits[9]),
  },
  { countries: ['LV'], words: 'personas (?:kods|koda)', length: 11, isValid: isLatvian },
  {
    countries: ['IS'],
    words: 'kennitala|kennitölu|kt\\.?',
    length: 10,
    isValid: digits =>
      isDayFirstDate(digits.slice(0, 6)) && lack11(digits, [3, 2, 7, 6, 5, 4, 3, 2]) === Number(digits[8]),
  },
  { countries: ['IR'], words: 'کد ?ملی|شماره ملی', length: 10, isValid: isIranian },
  {
    countries: ['GR'],
    words: 'αφμ|afm',
    length: 9,
    isValid: digits => rest11(digits, [256, 128, 64, 32, 16, 8, 4, 2]) === Number(digits[8]),
  },
  {
    countries: ['KW'],
    words: 'civil id|الرقم المدني',
    length: 12,
    isValid: digits => 11 - (weightedSum(digits, [2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11) === Number(digits[11]),
  },
  {
    countries: ['SA'],
    words: 'iqama|رقم الهوية|الإقامة',
    length: 10,
    isValid: digits => /^[12]/.test(digits) && passesLuhn(digits),
  },
  {
    countries: ['EC'],
    words: 'c[ée]dula',
    length: 10,
    isValid: digits => /^(?:[01]\d|2[0-4])[0-6]/.test(digits) && passesLuhn(digits),
  },
  { countries: ['DO'], words: 'c[ée]dula', length: 11, isValid: passesLuhn },
  {
    countries: ['UY'],
    words: 'c[ée]dula|c\\.?i\\.?',
    length: 8,
    isValid: digits => (weightedSum(digits, [2, 9, 8, 7, 6, 3, 4]) + Number(digits[7])) % 10 === 0,
  },
]

/** Values of the letters from A on (Taiwan). */
const TAIWANESE = [
  10, 11, 12, 13, 14, 15, 16, 17, 34, 18, 19, 20, 21, 22, 35, 23, 24, 25, 26, 27, 28, 29, 32, 30, 31, 33,
]

const isTaiwanese = (compact: string): boolean => {
  const letter = TAIWANESE[compact.charCodeAt(0) - 65] ?? 0
  return weightedSum(`${letter}${compact.slice(1)}`, [1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1]) % 10 === 0
}

/** Numbers whose form and check digits suffice without a word. */
const FORMED: readonly NationalScheme[] = [
  { written: /(?<![\w.-])\d{3}-\d{3}-\d{3}[ -]\d{2}(?![\w-])/g, isValid: isInsuredInRussia },
  { written: /(?<![\w.-])784-\d{4}-\d{7}-\d(?![\w-])/g, isValid: passesLuhn },
  {
    written: /(?<![\w.-])[A-Z][1289]\d{8}(?![\w-])/gi,
    isValid: isTaiwanese,
    countries: ['TW'],
    introducedBy: introducing('身分證(?:字號)?|身份證(?:字號)?|統一編號|national id'),
  },
]

/** Numbers of countries whose rules differ in their weights alone. */
export const checksumsByWeight: readonly NationalScheme[] = [
  ...WEIGHTED.map(
    ({ countries, words, length, isValid }): NationalScheme => ({
      written: new RegExp(`(?<![\\w.-])\\d{${length}}(?![\\w-])`, 'g'),
      isValid,
      countries,
      introducedBy: introducing(words),
    }),
  ),
  ...FORMED,
]
