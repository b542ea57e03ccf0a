import { weightedSum } from '../checksums.ts'
import type { NationalScheme } from './scheme.ts'

/** AHV number: the country's 756, then as an EAN-13 (Central Compensation Office). */
const isValid = (digits: string): boolean => weightedSum(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0

export const switzerland: readonly NationalScheme[] = [
  { written: /(?<![\w.-])756(?:\.\d{4}\.\d{4}\.\d{2}|\d{10})(?![\w-])/g, isValid },
]
