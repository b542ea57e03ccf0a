import { isDate } from '../checksums.ts'
import { introducing } from '../context.ts'
import type { NationalScheme } from './scheme.ts'

/** Rodné číslo: a date, 50 more in a woman's month and sometimes 20 in anyone's, and a multiple of 11 (Act 133/2000, section 13). */
const isValid = (digits: string): boolean => {
  const month = Number(digits.slice(2, 4)) % 50
  const born = isDate(2000 + Number(digits.slice(0, 2)), month > 20 ? month - 20 : month, Number(digits.slice(4, 6)))
  const first = Number(digits.slice(0, 9)) % 11
  return born && (first === 10 ? 0 : first) === Number(digits[9])
}

export const czechiaSlovakia: readonly NationalScheme[] = [
  { written: /(?<![\w./-])\d{6}\/\d{4}(?![\w/-])/g, isValid },
  {
    written: /(?<![\w.-])\d{10}(?![\w-])/g,
    isValid,
    introducedBy: introducing('rodn[ée] [čc][íi]sl[oa]|r\\.? ?[čc]\\.?'),
  },
]
