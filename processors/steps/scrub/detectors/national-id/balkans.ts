import { isDate, passesMod1110, weightedSum } from '../checksums.ts'
import { introducing } from '../context.ts'
import type { NationalScheme } from './scheme.ts'

/** CNP: sex and century, a date, a county, modulus 11 with 10 as 1 (Romania, OUG 97/2005). */
const isRomanian = (digits: string): boolean => {
  const rest = weightedSum(digits, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11
  const born = isDate(2000 + Number(digits.slice(1, 3)), Number(digits.slice(3, 5)), Number(digits.slice(5, 7)))
  return born && (rest === 10 ? 1 : rest) === Number(digits[12])
}

/** EGN: a date, 20 or 40 more in the month for other centuries, modulus 11 with 10 as 0 (Bulgaria, GRAO). */
const isBulgarian = (digits: string): boolean => {
  const born = isDate(2000 + Number(digits.slice(0, 2)), Number(digits.slice(2, 4)) % 20, Number(digits.slice(4, 6)))
  return born && (weightedSum(digits, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10 === Number(digits[9])
}

export const balkans: readonly NationalScheme[] = [
  {
    written: /(?<![\w.-])[1-9]\d{12}(?![\w-])/g,
    isValid: isRomanian,
    introducedBy: introducing('cnp|cod(?:ul)? numeric personal'),
  },
  { written: /(?<![\w.-])\d{10}(?![\w-])/g, isValid: isBulgarian, introducedBy: introducing('egn|егн') },
  // OIB (Croatia): ISO/IEC 7064 MOD 11,10 and no other form, so one number in ten passes.
  { written: /(?<![\w.-])\d{11}(?![\w-])/g, isValid: passesMod1110, introducedBy: introducing('oib') },
]
