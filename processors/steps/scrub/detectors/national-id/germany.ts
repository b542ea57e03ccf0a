import type { NationalScheme } from './scheme.ts'

/** ISO/IEC 7064, MOD 11,10. */
const passesMod1110 = (digits: string): boolean => {
  let product = 10
  for (const digit of digits.slice(0, -1)) {
    const sum = (Number(digit) + product) % 10
    product = ((sum === 0 ? 10 : sum) * 2) % 11
  }
  return (11 - product) % 10 === Number(digits.at(-1))
}

/** Of the first ten digits of a Steuer-ID one comes twice or three times, and at least one not at all. */
const repeatsOne = (digits: string): boolean => {
  const counts = new Map<string, number>()
  for (const digit of digits.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1)
  const repeated = [...counts.values()].filter(count => count > 1)
  return repeated.length === 1 && (repeated[0] ?? 0) <= 3
}

/** Steuerliche Identifikationsnummer: one number in ten passes its check digit, so a word must introduce it. */
export const germany: readonly NationalScheme[] = [
  {
    written: /(?<![\w.-])[1-9]\d ?\d{3} ?\d{3} ?\d{3}(?![\w-])/g,
    isValid: digits => repeatsOne(digits) && passesMod1110(digits),
    introducedBy:
      /(?<!\p{L})(?:steuer[ -]?(?:id|identifikations?-?nummer|nummer|nr)|id-?nr|idnr|tin|tax[ _-]?(?:id|number))(?!\p{L})[^\p{Nd}\n]{0,15}$/iu,
  },
]
