import { isOneDigitRepeated, weightedSum } from '../checksums.ts'
import { introducing } from '../context.ts'
import type { NationalScheme } from './scheme.ts'

/** The eleven test of the BSN (RvIG, Logisch Ontwerp BSN): one number in eleven passes it, so a word must introduce it. */
const isValid = (digits: string): boolean =>
  !isOneDigitRepeated(digits) && weightedSum(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0

export const netherlands: readonly NationalScheme[] = [
  {
    written: /(?<![\w-])\d{3}[ .]?\d{3}[ .]?\d{3}(?![\w-])/g,
    isValid,
    introducedBy: introducing('bsn|burgerservicenummers?|sofi-?nummer|persoonsnummer'),
  },
]
