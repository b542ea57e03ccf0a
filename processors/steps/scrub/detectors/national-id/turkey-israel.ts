import { passesLuhn, weightedSum } from '../checksums.ts'
import { introducing } from '../context.ts'
import type { NationalScheme } from './scheme.ts'

/** T.C. kimlik numarası: two check digits, the second over all the others (Turkish population office). */
const isTurkish = (digits: string): boolean => {
  const sum = weightedSum(digits, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1])
  return weightedSum(digits, [7, 9, 7, 9, 7, 9, 7, 9, 7]) % 10 === Number(digits[9]) && sum % 10 === Number(digits[10])
}

export const turkeyIsrael: readonly NationalScheme[] = [
  {
    written: /(?<![\w.-])[1-9]\d{10}(?![\w-])/g,
    isValid: isTurkish,
    introducedBy: introducing(
      't\\.?c\\.?(?: ?kimlik)?(?: ?(?:no|numarası|numaram))?|kimlik(?: ?(?:no|numarası))?|tckn',
    ),
  },
  {
    // Teudat zehut: the Luhn digit (Israeli population authority).
    written: /(?<![\w.-])\d{9}(?![\w-])/g,
    isValid: passesLuhn,
    introducedBy: introducing('teudat zehut|israeli id|תעודת זהות|ת\\.ז\\.?'),
  },
]
