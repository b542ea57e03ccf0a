import type { NationalScheme } from './scheme.ts'

const NEVER_GIVEN: ReadonlySet<string> = new Set(['BG', 'GB', 'KN', 'NK', 'NT', 'TN', 'ZZ'])

/** National Insurance numbers have no check digit, but prefixes that are never given (HMRC, NIM39110). */
const isValid = (compact: string): boolean => !NEVER_GIVEN.has(compact.slice(0, 2))

const PREFIX = '[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]'

export const unitedKingdom: readonly NationalScheme[] = [
  { written: new RegExp(`(?<![\\w-])${PREFIX} \\d{2} \\d{2} \\d{2} [A-D](?![\\w-])`, 'g'), isValid },
  {
    written: new RegExp(`(?<![\\w-])${PREFIX}\\d{6}[A-D](?![\\w-])`, 'gi'),
    isValid,
    introducedBy:
      /(?<!\p{L})(?:nino|ni(?:[ _-]?(?:number|no))?|national[ _-]?insurance(?:[ _-]?(?:number|no))?)(?!\p{L})[^\p{Nd}\n]{0,15}$/iu,
  },
]
