import type { NationalScheme } from './scheme.ts'

/** NIR: thirteen places and a key that completes the number to a multiple of 97; Corsica's 2A and 2B count as 19 and 18 (INSEE). */
const isValid = (compact: string): boolean => {
  const number = compact.slice(0, 13).replace('2A', '19').replace('2B', '18')
  return 97 - Number(BigInt(number) % 97n) === Number(compact.slice(13))
}

export const france: readonly NationalScheme[] = [
  {
    written:
      /(?<![\w-])[12][ .-]?\d{2}[ .-]?(?:0[1-9]|1[0-2]|[2-9]\d)[ .-]?(?:\d{2}|2[AB])[ .-]?\d{3}[ .-]?\d{3}[ .-]?\d{2}(?![\w-])/gi,
    isValid,
  },
]
