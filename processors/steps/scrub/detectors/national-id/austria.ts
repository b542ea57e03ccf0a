import { weightedSum } from '../checksums.ts'
import { introducing } from '../context.ts'
import type { NationalScheme } from './scheme.ts'

/** Sozialversicherungsnummer: the fourth digit checks the others, modulus 11 (ASVG section 30c); months up to 15 stand for missing dates. */
const isValid = (digits: string): boolean => {
  const day = Number(digits.slice(4, 6))
  const month = Number(digits.slice(6, 8))
  if (digits.startsWith('0') || day < 1 || day > 31 || month < 1 || month > 15) return false
  return weightedSum(digits, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 === Number(digits[3])
}

export const austria: readonly NationalScheme[] = [
  {
    written: /(?<![\w.-])\d{4}[ -]?\d{6}(?![\w-])/g,
    isValid,
    introducedBy: introducing('sv-?(?:nummer|nr)|svnr|sozialversicherung\\p{L}*|versicherungsnummer'),
  },
]
