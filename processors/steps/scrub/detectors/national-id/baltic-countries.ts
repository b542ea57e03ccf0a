import { isDate, weightedSum } from '../checksums.ts'
import { introducing } from '../context.ts'
import type { NationalScheme } from './scheme.ts'

/** Isikukood and asmens kodas: sex and century, a date, modulus 11 with a second row of weights (Estonia, EVS 585; Lithuania counts alike). */
const isValid = (digits: string): boolean => {
  const first = weightedSum(digits, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11
  const check = first === 10 ? (weightedSum(digits, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11) % 10 : first
  const born = isDate(2000 + Number(digits.slice(1, 3)), Number(digits.slice(3, 5)), Number(digits.slice(5, 7)))
  return born && check === Number(digits[10])
}

export const balticCountries: readonly NationalScheme[] = [
  {
    written: /(?<![\w.-])[1-6]\d{10}(?![\w-])/g,
    isValid,
    introducedBy: introducing('isikukood|asmens kod\\p{L}*|personal code'),
  },
]
