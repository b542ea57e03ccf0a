import { isDate } from '../checksums.ts'
import type { NationalScheme } from './scheme.ts'

/** Rijksregisternummer: 97 less the nine digits modulo 97, with a 2 before them for births from 2000 on (Royal Decree of 3 April 1984). */
const isValid = (digits: string): boolean => {
  const born = digits.slice(0, 9)
  const check = Number(digits.slice(9))
  const month = Number(digits.slice(2, 4)) % 20
  if (!isDate(2000 + Number(digits.slice(0, 2)), month, Number(digits.slice(4, 6)))) return false
  return 97 - (Number(born) % 97) === check || 97 - (Number(`2${born}`) % 97) === check
}

export const belgium: readonly NationalScheme[] = [
  { written: /(?<![\w.-])\d{2}\.?\d{2}\.?\d{2}[- ]?\d{3}[. ]?\d{2}(?![\w-])/g, isValid },
]
