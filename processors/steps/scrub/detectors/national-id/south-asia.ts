import { introducing } from '../context.ts'
import type { NationalScheme } from './scheme.ts'

/** The dihedral group of order ten: rotations are 0 to 4, reflections 5 to 9. */
const combine = (a: number, b: number): number => {
  const reflected = a >= 5
  const turned = (reflected ? a - (b % 5) + 5 : a + (b % 5)) % 5
  return turned + (reflected === b >= 5 ? 0 : 5)
}

const PERMUTATION = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]

/** Verhoeff's check digit: each place permutes its digit once more than the one to its right. */
const passesVerhoeff = (digits: string): boolean => {
  let check = 0
  for (const [place, digit] of Array.from(digits).toReversed().entries()) {
    let permuted = Number(digit)
    for (let times = 0; times < place % 8; times += 1) permuted = PERMUTATION[permuted] ?? 0
    check = combine(check, permuted)
  }
  return check === 0
}

const AADHAAR = introducing('aadh?aar|uidai|uid|आधार')

export const southAsia: readonly NationalScheme[] = [
  // Aadhaar begins with 2 to 9 (UIDAI); grouped by four it needs no word.
  { written: /(?<![\w.-]|\d )[2-9]\d{3} \d{4} \d{4}(?![\w-]| \d)/g, isValid: passesVerhoeff },
  { written: /(?<![\w.-])[2-9]\d{3}-?\d{4}-?\d{4}(?![\w-])/g, isValid: passesVerhoeff, introducedBy: AADHAAR },
  // PAN (Income-tax Rules, rule 114): no check digit that is published; the fourth letter of a person's is a P.
  { written: /(?<![\w-])[A-Z]{3}P[A-Z]\d{4}[A-Z](?![\w-])/g, isValid: () => true },
]
