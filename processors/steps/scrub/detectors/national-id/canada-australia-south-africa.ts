import { isYearFirstDate, passesLuhn, weightedSum } from '../checksums.ts'
import { introducing } from '../context.ts'
import type { NationalScheme } from './scheme.ts'

/** SIN: the Luhn digit (Employment and Social Development Canada). */
const CANADIAN_WORDS = introducing('sin|nas|social insurance(?:[ _-]?(?:number|no))?|assurance sociale')

/** TFN: modulus 11 (Australian Taxation Office). */
const isAustralianTaxFile = (digits: string): boolean => weightedSum(digits, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0

/** Medicare card number: the ninth digit checks the eight before it (Australian Department of Health). */
const isAustralianMedicare = (digits: string): boolean =>
  weightedSum(digits, [1, 3, 7, 9, 1, 3, 7, 9]) % 10 === Number(digits[8])

export const canadaAustraliaSouthAfrica: readonly NationalScheme[] = [
  {
    written: /(?<![\w.-])[1-79]\d{2}[ -]?\d{3}[ -]?\d{3}(?![\w-])/g,
    isValid: passesLuhn,
    introducedBy: CANADIAN_WORDS,
  },
  {
    written: /(?<![\w.-])\d{3}[ -]?\d{3}[ -]?\d{3}(?![\w-])/g,
    isValid: isAustralianTaxFile,
    introducedBy: introducing('tfn|tax file(?:[ _-]?(?:number|no))?'),
  },
  {
    written: /(?<![\w.-])[2-6]\d{3}[ -]?\d{5}[ -]?\d(?![\w-])/g,
    isValid: isAustralianMedicare,
    introducedBy: introducing('medicare(?:[ _-]?(?:card|number|no))*'),
  },
  {
    // A date, a running number, 0 or 1 for citizenship, and the Luhn digit (South African Department of Home Affairs).
    written: /(?<![\w.-])\d{6} ?\d{4} ?[01]\d{2}(?![\w-])/g,
    isValid: digits => isYearFirstDate(digits.slice(0, 6)) && passesLuhn(digits),
    introducedBy: introducing('(?:south african |rsa |sa )?(?:id|identity)(?:[ _-]?(?:number|no))?'),
  },
]
