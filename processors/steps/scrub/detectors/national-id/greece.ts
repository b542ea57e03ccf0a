import { isDayFirstDate, passesLuhn } from '../checksums.ts'
import { introducing } from '../context.ts'
import type { NationalScheme } from './scheme.ts'

/** AMKA: a date and a Luhn digit (law 3655/2008). */
export const greece: readonly NationalScheme[] = [
  {
    written: /(?<![\w.-])\d{11}(?![\w-])/g,
    isValid: digits => isDayFirstDate(digits.slice(0, 6)) && passesLuhn(digits),
    introducedBy: introducing('αμκα|amka'),
  },
]
