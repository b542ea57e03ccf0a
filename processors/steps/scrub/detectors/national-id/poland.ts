import { isDate, weightedSum } from '../checksums.ts'
import type { NationalScheme } from './scheme.ts'

/** The century is told by what is added to the month: 0 for 1900, 20 for 2000, 40, 60, and 80 for 1800. */
const CENTURIES = [1900, 2000, 2100, 2200, 1800]

/** PESEL: a date of birth, a running number and a check digit. */
const isValid = (digits: string): boolean => {
  const month = Number(digits.slice(2, 4))
  const century = CENTURIES[Math.floor(month / 20)] ?? 1900
  const born = isDate(century + Number(digits.slice(0, 2)), month % 20, Number(digits.slice(4, 6)))
  return born && weightedSum(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0
}

export const poland: readonly NationalScheme[] = [{ written: /(?<![\w.-])\d{11}(?![\w-])/g, isValid }]
