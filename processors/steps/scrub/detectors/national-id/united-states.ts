import { introducing } from '../context.ts'
import type { NationalScheme } from './scheme.ts'

/** Printed in advertisements and handed around since. */
const NEVER_VALID: ReadonlySet<string> = new Set(['078051120', '219099999'])

/** Social Security numbers have no check digit, but numbers that are never given (SSA, POMS RM 10201.035); 9xx are taxpayer numbers. */
const isValid = (digits: string): boolean => {
  const area = digits.slice(0, 3)
  const group = digits.slice(3, 5)
  if (area === '000' || area === '666' || group === '00' || digits.slice(5) === '0000' || NEVER_VALID.has(digits))
    return false
  return !area.startsWith('9') || /^(?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])$/.test(group)
}

export const unitedStates: readonly NationalScheme[] = [
  { written: /(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])/g, isValid },
  {
    written: /(?<![\w-])\d{3} ?\d{2} ?\d{4}(?![\w-])/g,
    isValid,
    introducedBy: introducing('ssns?|itin|social[ _-]?security(?:[ _-]?(?:number|no))?|taxpayer[ _-]?id\\p{L}*'),
  },
]
