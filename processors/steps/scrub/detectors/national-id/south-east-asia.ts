import { weightedSum } from '../checksums.ts'
import { introducing } from '../context.ts'
import type { NationalScheme } from './scheme.ts'

const SINGAPORE_CHECK: Readonly<Record<string, string>> = {
  S: 'JZIHGFEDCBA',
  T: 'GFEDCBAJZIH',
  F: 'XWUTRQPNMLK',
  G: 'RQPNMLKXWUT',
}

/** NRIC and FIN: the letter is the weighted sum modulo 11, from a row for each series (ICA). */
const isSingaporean = (compact: string): boolean =>
  SINGAPORE_CHECK[compact.charAt(0)]?.[weightedSum(compact.slice(1), [2, 7, 6, 5, 4, 3, 2]) % 11] === compact.at(-1)

/** HKID with one letter: a space counts 36 before it, modulus 11, with A for ten (Hong Kong Immigration Department). */
const isHongKong = (compact: string): boolean => {
  const letter = compact.charCodeAt(0) - 'A'.charCodeAt(0) + 10
  const sum = 36 * 9 + letter * 8 + weightedSum(compact.slice(1), [7, 6, 5, 4, 3, 2])
  const check = (11 - (sum % 11)) % 11
  return (check === 10 ? 'A' : String(check)) === compact.at(-1)
}

/** Thai identification number: modulus 11 (Bureau of Registration Administration). */
const isThai = (digits: string): boolean =>
  (11 - (weightedSum(digits, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 10 === Number(digits[12])

export const southEastAsia: readonly NationalScheme[] = [
  { written: /(?<![\w-])[STFG]\d{7}[A-Z](?![\w-])/g, isValid: isSingaporean },
  { written: /(?<![\w-])[A-Z]\d{6}\([\dA]\)(?![\w-])/g, isValid: isHongKong },
  { written: /(?<![\w.-])\d-\d{4}-\d{5}-\d{2}-\d(?![\w-])/g, isValid: isThai },
  {
    written: /(?<![\w.-])[1-8]\d{12}(?![\w-])/g,
    isValid: isThai,
    introducedBy: introducing('thai id|citizen id|บัตรประชาชน'),
  },
]
