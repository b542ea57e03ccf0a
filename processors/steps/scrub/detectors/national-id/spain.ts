import type { NationalScheme } from './scheme.ts'

const LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE'

/** DNI and, with X, Y or Z for the first digit, NIE: the letter is the number modulo 23 (Real Decreto 1553/2005; Ministerio del Interior). */
const isValid = (compact: string): boolean => {
  const number = compact.slice(0, -1).replace(/^[XYZ]/, first => String('XYZ'.indexOf(first)))
  return LETTERS[Number(number) % 23] === compact.at(-1)
}

export const spain: readonly NationalScheme[] = [
  { written: /(?<![\w.-])(?:\d{8}|\d{2}\.\d{3}\.\d{3})[ -]?[A-HJ-NP-TV-Z](?![\w-])/gi, isValid },
  { written: /(?<![\w.-])[XYZ][ -]?\d{7}[ -]?[A-HJ-NP-TV-Z](?![\w-])/gi, isValid },
]
