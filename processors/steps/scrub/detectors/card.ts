import { isOneDigitRepeated, passesLuhn } from './checksums.ts'
import type { Detector } from './detector.ts'
import { numberCandidates } from './digit-groups.ts'

interface Issuer {
  /** First digits, as a range of numbers of one length. */
  readonly from: number
  readonly to: number
  readonly lengths: readonly number[]
}

const SIXTEEN_TO_NINETEEN = [16, 17, 18, 19]

/** Issuer ranges as the networks publish them (ISO/IEC 7812 identification numbers). */
const ISSUERS: readonly Issuer[] = [
  { from: 4, to: 4, lengths: [13, 16, 19] },
  { from: 51, to: 55, lengths: [16] },
  { from: 2221, to: 2720, lengths: [16] },
  { from: 34, to: 34, lengths: [15] },
  { from: 37, to: 37, lengths: [15] },
  { from: 300, to: 305, lengths: [14, 16, 19] },
  { from: 36, to: 36, lengths: [14, 16, 19] },
  { from: 38, to: 39, lengths: [14, 16, 19] },
  { from: 3528, to: 3589, lengths: SIXTEEN_TO_NINETEEN },
  { from: 6011, to: 6011, lengths: SIXTEEN_TO_NINETEEN },
  { from: 644, to: 659, lengths: SIXTEEN_TO_NINETEEN },
  { from: 62, to: 62, lengths: SIXTEEN_TO_NINETEEN },
  { from: 5018, to: 5018, lengths: SIXTEEN_TO_NINETEEN },
  { from: 5020, to: 5020, lengths: SIXTEEN_TO_NINETEEN },
  { from: 5038, to: 5038, lengths: SIXTEEN_TO_NINETEEN },
  { from: 6304, to: 6304, lengths: SIXTEEN_TO_NINETEEN },
  { from: 6759, to: 6763, lengths: SIXTEEN_TO_NINETEEN },
  { from: 5893, to: 5893, lengths: SIXTEEN_TO_NINETEEN },
  { from: 2200, to: 2204, lengths: SIXTEEN_TO_NINETEEN },
  { from: 5066, to: 5067, lengths: [16] },
  { from: 5085, to: 5089, lengths: [16] },
  { from: 5090, to: 5090, lengths: [16] },
  { from: 504175, to: 504175, lengths: [16] },
  { from: 606282, to: 606282, lengths: [16] },
  { from: 627780, to: 627780, lengths: [16] },
  { from: 636297, to: 636297, lengths: [16] },
  { from: 636368, to: 636368, lengths: [16] },
  { from: 9792, to: 9792, lengths: [16] },
]

/** How numbers are grouped on cards; digits without a gap are one group. */
const GROUPINGS: ReadonlySet<string> = new Set(['4,4,4,4', '4,4,4,4,3', '4,6,5', '4,6,4', '4,4,4,1', '6,13', '8,8'])

const MAX_GROUPS = 5

const hasIssuer = (digits: string): boolean =>
  ISSUERS.some(({ from, to, lengths }) => {
    const prefix = Number(digits.slice(0, String(from).length))
    return prefix >= from && prefix <= to && lengths.includes(digits.length)
  })

/** Payment card numbers: an issuer's range and length, grouped as on a card or not at all, with the right check digit. */
export const card: Detector = {
  kind: 'CARD',
  *find(text) {
    for (const { start, end, digits, grouping } of numberCandidates(text, {
      min: 13,
      max: 19,
      maxGroups: MAX_GROUPS,
    })) {
      const printedAsCard = !grouping.includes(',') || GROUPINGS.has(grouping)
      if (printedAsCard && passesLuhn(digits) && hasIssuer(digits) && !isOneDigitRepeated(digits)) yield { start, end }
    }
  },
}
