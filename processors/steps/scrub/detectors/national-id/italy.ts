import type { NationalScheme } from './scheme.ts'

/** What each character counts at an odd place, from 0 and A on (Ministry decree of 23 December 1976). */
const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]

const placeValue = (character: string): number =>
  /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 'A'.charCodeAt(0)

const isValid = (compact: string): boolean => {
  const sum = Array.from(compact.slice(0, 15)).reduce((total, character, index) => {
    const value = placeValue(character)
    return total + (index % 2 === 0 ? (ODD[value] ?? 0) : value)
  }, 0)
  return String.fromCharCode('A'.charCodeAt(0) + (sum % 26)) === compact.at(-1)
}

/** Codice fiscale; where two people would share one, letters stand for digits. */
export const italy: readonly NationalScheme[] = [
  {
    written: /(?<!\w)[A-Z]{6}[\dLMNP-V]{2}[A-EHLMPRST][\dLMNP-V]{2}[A-Z][\dLMNP-V]{3}[A-Z](?!\w)/gi,
    isValid,
  },
]
