import { weightedSum } from '../checksums.ts'
import { introducing } from '../context.ts'
import type { NationalScheme } from './scheme.ts'

const LETTERS = 'WABCDEFGHIJKLMNOPQRSTUV'

/** PPS number: the letter is the weighted sum modulo 23, a second letter counting nine times (Department of Social Protection). */
const isValid = (compact: string): boolean => {
  const second = compact[8]
  const extra = second === undefined || second === 'W' ? 0 : second.charCodeAt(0) - 'A'.charCodeAt(0) + 1
  return LETTERS[(weightedSum(compact, [8, 7, 6, 5, 4, 3, 2]) + 9 * extra) % 23] === compact[7]
}

export const ireland: readonly NationalScheme[] = [
  {
    written: /(?<![\w.-])\d{7}[A-W][A-IW]?(?![\w-])/gi,
    isValid,
    introducedBy: introducing('pps(?:n|[ _-]?(?:number|no))?|personal public service number'),
  },
]
