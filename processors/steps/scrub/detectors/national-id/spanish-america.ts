import { isYearFirstDate, weightedSum } from '../checksums.ts'
import { introducing } from '../context.ts'
import type { NationalScheme } from './scheme.ts'

/** RUT: modulus 11 with the weights 2 to 7 from the right, K for ten (Chile, SII). */
const isChilean = (compact: string): boolean => {
  const sum = Array.from(compact.slice(0, -1))
    .toReversed()
    .reduce((total, digit, index) => total + Number(digit) * (2 + (index % 6)), 0)
  return '0K987654321'[sum % 11] === compact.at(-1)
}

/** CUIL of a person: 20, 23, 24 or 27 first, modulus 11 (Argentina, ANSES). */
const isArgentine = (digits: string): boolean => {
  const rest = weightedSum(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11
  return (rest === 0 ? 0 : 11 - rest) === Number(digits[10])
}

const MEXICAN_VALUES = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ'

/** CURP: a date in it and a check digit over 37 characters (Mexico, RENAPO). */
const isMexican = (compact: string): boolean => {
  const sum = Array.from(compact.slice(0, 17)).reduce(
    (total, character, index) => total + MEXICAN_VALUES.indexOf(character) * (18 - index),
    0,
  )
  return isYearFirstDate(compact.slice(4, 10)) && (10 - (sum % 10)) % 10 === Number(compact[17])
}

export const spanishAmerica: readonly NationalScheme[] = [
  { written: /(?<![\w.-])\d{1,2}\.\d{3}\.\d{3}-[\dK](?![\w-])/gi, isValid: isChilean },
  {
    written: /(?<![\w.-])\d{7,8}-?[\dK](?![\w-])/gi,
    isValid: isChilean,
    introducedBy: introducing('rut|rol [úu]nico \\p{L}*'),
  },
  { written: /(?<![\w.-])(?:20|23|24|27)-\d{8}-\d(?![\w-])/g, isValid: isArgentine },
  { written: /(?<![\w.-])(?:20|23|24|27)\d{9}(?![\w-])/g, isValid: isArgentine, introducedBy: introducing('cui[lt]') },
  { written: /(?<![\w-])[A-Z]{4}\d{6}[HMX][A-Z]{2}[B-DF-HJ-NP-TV-ZÑ]{3}[A-Z\d]\d(?![\w-])/gi, isValid: isMexican },
]
