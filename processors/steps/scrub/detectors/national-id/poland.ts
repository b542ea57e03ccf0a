import { isDate, weightedSum } from '../checksums.ts'
import type { NationalScheme } from './scheme.ts'

/** The century is told by what is added to the month: 80 for 1800, 0 for 1900, 20 for 2000; later ones are not given out yet. */
const CENTURIES: ReadonlyMap<number, number> = new Map([
  [4, 1800],
  [0, 1900],
  [1, 2000],
])

/** PESEL: a date of birth, a running number and a check digit (Act on population records of 24 September 2010). */
const isValid = (digits: string): boolean => {
  const month = Number(digits.slice(2, 4))
  const century = CENTURIES.get(Math.floor(month / 20))
  if (century === undefined) return false
  const born = isDate(century + Number(digits.slice(0, 2)), month % 20, Number(digits.slice(4, 6)))
  return born && weightedSum(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0
}

export const poland: readonly NationalScheme[] = [{ written: /(?<![\w.-])\d{11}(?![\w-])/g, isValid }]
