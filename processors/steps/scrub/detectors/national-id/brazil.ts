import { isOneDigitRepeated, weightedSum } from '../checksums.ts'
import type { NationalScheme } from './scheme.ts'

const checkDigit = (digits: string, weights: readonly number[]): number => {
  const rest = (weightedSum(digits, weights) * 10) % 11
  return rest === 10 ? 0 : rest
}

/** CPF: nine digits and two check digits, modulus 11 (Receita Federal). */
const isValid = (digits: string): boolean =>
  !isOneDigitRepeated(digits) &&
  checkDigit(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) === Number(digits[9]) &&
  checkDigit(digits, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) === Number(digits[10])

export const brazil: readonly NationalScheme[] = [
  { written: /(?<![\w.-])(?:\d{3}\.\d{3}\.\d{3}-\d{2}|\d{11})(?![\w-])/g, isValid },
]
