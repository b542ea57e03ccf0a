import { weightedSum } from '../checksums.ts'
import { introducing } from '../context.ts'
import type { NationalScheme } from './scheme.ts'

/** NIF: modulus 11 (Decreto-Lei 14/2013); 1 to 3 and 45 begin a person's. */
const isValid = (digits: string): boolean => {
  const rest = weightedSum(digits, [9, 8, 7, 6, 5, 4, 3, 2]) % 11
  return Number(digits[8]) === (rest < 2 ? 0 : 11 - rest)
}

export const portugal: readonly NationalScheme[] = [
  {
    written: /(?<![\w.-])(?:[1-3]\d|45)\d ?\d{3} ?\d{3}(?![\w-])/g,
    isValid,
    introducedBy: introducing('nif|contribuinte|n[úu]mero fiscal'),
  },
]
