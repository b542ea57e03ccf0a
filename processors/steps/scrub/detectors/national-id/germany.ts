import { isDayFirstDate, passesMod1110 } from '../checksums.ts'
import { introducing } from '../context.ts'
import type { NationalScheme } from './scheme.ts'

/** Of the first ten digits of a Steuer-ID one comes twice or three times, and at least one not at all. */
const repeatsOne = (digits: string): boolean => {
  const counts = new Map<string, number>()
  for (const digit of digits.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1)
  const repeated = [...counts.values()].filter(count => count > 1)
  return repeated.length === 1 && (repeated[0] ?? 0) <= 3
}

/** The letter of a Versicherungsnummer counts as its place in the alphabet, in two digits (VKVV section 2, with its annex). */
const isInsuranceNumber = (compact: string): boolean => {
  const letter = String(compact.charCodeAt(8) - 'A'.charCodeAt(0) + 1).padStart(2, '0')
  const digits = `${compact.slice(0, 8)}${letter}${compact.slice(9)}`
  const crossSums = Array.from(digits.slice(0, 12), (digit, index) => {
    const product = Number(digit) * (INSURANCE_WEIGHTS[index] ?? 0)
    return Math.floor(product / 10) + (product % 10)
  })
  return isDayFirstDate(compact.slice(2, 8)) && crossSums.reduce((a, b) => a + b, 0) % 10 === Number(compact.at(-1))
}

const INSURANCE_WEIGHTS = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1]

/** Steuerliche Identifikationsnummer (BZSt): one number in ten passes its check digit, so a word must introduce it. */
export const germany: readonly NationalScheme[] = [
  {
    written: /(?<![\w.-])[1-9]\d ?\d{3} ?\d{3} ?\d{3}(?![\w-])/g,
    isValid: digits => repeatsOne(digits) && passesMod1110(digits),
    introducedBy: introducing(
      'steuer[ _-]?(?:id|identifikations?-?nummer|nummer|nr)|id-?nr|idnr|tin|tax[ _-]?(?:id|number)',
    ),
  },
  { written: /(?<![\w.-])\d{2} ?\d{6} ?[A-Z] ?\d{3}(?![\w-])/gi, isValid: isInsuranceNumber },
]
