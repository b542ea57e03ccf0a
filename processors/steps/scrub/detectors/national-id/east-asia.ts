import { isDate, isYearFirstDate, weightedSum } from '../checksums.ts'
import { introducing } from '../context.ts'
import type { NationalScheme } from './scheme.ts'

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

export const eastAsia: readonly NationalScheme[] = [
  { written: /(?<![\w.-])[1-9]\d{16}[\dX](?![\w-])/gi, isValid: isChinese },
  // Resident registration number (Korea): a date, then sex and century; numbers given since October 2020 have no check digit.
  { written: /(?<![\w.-])\d{6}-[1-8]\d{6}(?![\w-])/g, isValid: digits => isYearFirstDate(digits.slice(0, 6)) },
  {
    written: /(?<![\w.-])\d{4}[ -]?\d{4}[ -]?\d{4}(?![\w-])/g,
    isValid: isJapanese,
    introducedBy: introducing('my ?number|マイナンバー|個人番号'),
  },
]
