import { introducing } from '../context.ts'
import { isDate, isYearFirstDate, type NationalScheme, weightedSum } from '../digits.ts'

const CHINESE_CHECK = '10X98765432'

/** Resident identity number: region, date, modulus 11-2 (GB 11643-1999). */
const isChinese = (compact: string): boolean => {
  const year = Number(compact.slice(6, 10))
  if (year < 1900 || year > 2100) return false
  const born = isDate(year, Number(compact.slice(10, 12)), Number(compact.slice(12, 14)))
  const rest = weightedSum(compact, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11
  return born && CHINESE_CHECK[rest] === compact[17]
}

/** My Number: modulus 11 (Japan, ordinance 85 of 2014). */
const isJapanese = (digits: string): boolean => {
  const rest = weightedSum(digits, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11
  return (rest <= 1 ? 0 : 11 - rest) === Number(digits[11])
}

const eastAsia: readonly NationalScheme[] = [
  { written: /(?<![\w.-])[1-9]\d{16}[\dX](?![\w-])/gi, isValid: isChinese },
  // Resident registration number (Korea): a date, then sex and century. Numbers issued since October 2020 have no check
  // digit.
  { written: /(?<![\w.-])\d{6}-[1-8]\d{6}(?![\w-])/g, isValid: digits => isYearFirstDate(digits.slice(0, 6)) },
  {
    written: /(?<![\w.-])\d{4}[ -]?\d{4}[ -]?\d{4}(?![\w-])/g,
    isValid: isJapanese,
    countries: ['JP'],
    introducedBy: introducing('my ?number|マイナンバー|個人番号'),
  },
]

/** The dihedral group of order ten: rotations are 0 to 4, reflections 5 to 9. */
const combine = (a: number, b: number): number => {
  const reflected = a >= 5
  const turned = (reflected ? a - (b % 5) + 5 : a + (b % 5)) % 5
  return turned + (reflected === b >= 5 ? 0 : 5)
}

const PERMUTATION = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]

/** Verhoeff's check digit: each place permutes its digit once more than the place to its right. */
const passesVerhoeff = (digits: string): boolean => {
  let check = 0
  for (const [place, digit] of Array.from(digits).toReversed().entries()) {
    let permuted = Number(digit)
    for (let times = 0; times < place % 8; times += 1) permuted = PERMUTATION[permuted] ?? 0
    check = combine(check, permuted)
  }
  return check === 0
}

const AADHAAR = introducing('aadh?aar|uidai|uid|आधार')

const southAsia: readonly NationalScheme[] = [
  // Aadhaar begins with 2 to 9 (UIDAI). In groups of four it needs no word.
  { written: /(?<![\w.-]|\d )[2-9]\d{3} \d{4} \d{4}(?![\w-]| \d)/g, isValid: passesVerhoeff },
  {
    written: /(?<![\w.-])[2-9]\d{3}-?\d{4}-?\d{4}(?![\w-])/g,
    isValid: passesVerhoeff,
    countries: ['IN'],
    introducedBy: AADHAAR,
  },
  // PAN (Income-tax Rules, rule 114): its check digit is not published; the fourth letter of a person's PAN is a P.
  { written: /(?<![\w-])[A-Z]{3}P[A-Z]\d{4}[A-Z](?![\w-])/g, isValid: () => true },
]

const SINGAPORE_CHECK: Readonly<Record<string, string>> = {
  S: 'JZIHGFEDCBA',
  T: 'GFEDCBAJZIH',
  F: 'XWUTRQPNMLK',
  G: 'RQPNMLKXWUT',
}

/** NRIC and FIN: the letter is the weighted sum modulo 11, from a row for each series (ICA). */
const isSingaporean = (compact: string): boolean =>
  SINGAPORE_CHECK[compact.charAt(0)]?.[weightedSum(compact.slice(1), [2, 7, 6, 5, 4, 3, 2]) % 11] === compact.at(-1)

/** HKID with one letter: a space counts 36 before it, modulus 11, with A for ten (Hong Kong Immigration Department). */
const isHongKong = (compact: string): boolean => {
  const letter = compact.charCodeAt(0) - 'A'.charCodeAt(0) + 10
  const sum = 36 * 9 + letter * 8 + weightedSum(compact.slice(1), [7, 6, 5, 4, 3, 2])
  const check = (11 - (sum % 11)) % 11
  return (check === 10 ? 'A' : String(check)) === compact.at(-1)
}

/** Thai identification number: modulus 11 (Bureau of Registration Administration). */
const isThai = (digits: string): boolean =>
  (11 - (weightedSum(digits, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 10 === Number(digits[12])

const southEastAsia: readonly NationalScheme[] = [
  { written: /(?<![\w-])[STFG]\d{7}[A-Z](?![\w-])/g, isValid: isSingaporean },
  { written: /(?<![\w-])[A-Z]\d{6}\([\dA]\)(?![\w-])/g, isValid: isHongKong },
  { written: /(?<![\w.-])\d-\d{4}-\d{5}-\d{2}-\d(?![\w-])/g, isValid: isThai },
  {
    written: /(?<![\w.-])[1-8]\d{12}(?![\w-])/g,
    isValid: isThai,
    countries: ['TH'],
    introducedBy: introducing('thai id|citizen id|บัตรประชาชน'),
  },
]

export const asia: readonly NationalScheme[] = [eastAsia, southAsia, southEastAsia].flat()
