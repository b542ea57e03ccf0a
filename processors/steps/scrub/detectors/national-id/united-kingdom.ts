import { weightedSum } from '../checksums.ts'
import { introducing } from '../context.ts'
import type { NationalScheme } from './scheme.ts'

const NEVER_GIVEN: ReadonlySet<string> = new Set(['BG', 'GB', 'KN', 'NK', 'NT', 'TN', 'ZZ'])

/** National Insurance numbers have no check digit, but prefixes that are never given (HMRC, NIM39110). */
const isInsuranceNumber = (compact: string): boolean => !NEVER_GIVEN.has(compact.slice(0, 2))

/** NHS number: modulus 11 (NHS Data Dictionary). */
const isHealthNumber = (digits: string): boolean => weightedSum(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0

const PREFIX = '[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]'

export const unitedKingdom: readonly NationalScheme[] = [
  { written: new RegExp(`(?<![\\w-])${PREFIX} \\d{2} \\d{2} \\d{2} [A-D](?![\\w-])`, 'g'), isValid: isInsuranceNumber },
  {
    written: new RegExp(`(?<![\\w-])${PREFIX}\\d{6}[A-D](?![\\w-])`, 'gi'),
    isValid: isInsuranceNumber,
    introducedBy: introducing('nino|ni(?:[ _-]?(?:number|no))?|national[ _-]?insurance(?:[ _-]?(?:number|no))?'),
  },
  {
    written: /(?<![\w.-])\d{3}[ -]?\d{3}[ -]?\d{4}(?![\w-])/g,
    isValid: isHealthNumber,
    introducedBy: introducing('nhs(?:[ _-]?(?:number|no))?'),
  },
]
