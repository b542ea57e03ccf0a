import type { CountryCode } from 'libphonenumber-js/max'

/** A way to write a phone number that needs no word before it, because hardly anything else is written so. */
interface NationalWriting {
  readonly shape: RegExp
  /** Countries that write so; the number must be one that one of them gives out. */
  readonly countries: readonly CountryCode[]
  /** Where the shape alone is telling, so that numbers not given out yet count too (and those kept for films). */
  readonly isTelling?: true
}

/** Countries whose national numbers begin with a zero, the trunk prefix. */
const TRUNK_ZERO: readonly CountryCode[] = ['GB', 'DE', 'FR', 'IT', 'NL', 'IN', 'AU', 'PL']

/** Groupings as the countries' own numbering plans and phone books print them (ITU-T E.123 for the general form). */
export const NATIONAL_WRITINGS: readonly NationalWriting[] = [
  { shape: /^(?:1[-. ])?(?:\([2-9]\d\d\) ?|[2-9]\d\d[-. ])[2-9]\d\d[-. ]\d{4}$/, countries: ['US', 'CA'] },
  { shape: /^0[1-9](?:([ .-])\d\d)(?:\1\d\d){3}$/, countries: ['FR'], isTelling: true },
  { shape: /^(?:\(0\d{2,4}\)|0\d{2,4}) \d{3,4} ?\d{3,4}$/, countries: ['GB'], isTelling: true },
  { shape: /^07\d{3} ?\d{3} ?\d{3}$/, countries: ['GB'], isTelling: true },
  { shape: /^(?:\(0[1-9]\d{0,3}\) ?|0[1-9]\d{0,3}(?: |-| ?\/ ?))\d{3,8}(?:[ -]\d{1,5}){0,3}$/, countries: TRUNK_ZERO },
  { shape: /^0[1-9](?: \d{2}){4}$/, countries: ['FR', 'NL'], isTelling: true },
  { shape: /^0[1-9]\d{8,9}$/, countries: ['FR', 'NL', 'AU', 'DE', 'IT', 'IN', 'GB'] },
  { shape: /^(?:[6-9]\d{2}(?: \d{2}){3}|9\d \d{3} \d{2} \d{2})$/, countries: ['ES'] },
  { shape: /^(?:\(\d{2}\)|\d{2}) \d{3} \d{2} \d{2}$/, countries: ['PL'] },
  { shape: /^\d{3}-\d{3}-\d{3}$/, countries: ['PL'] },
  { shape: /^3\d{2}(?: \d{3} \d{4}|[ -]\d{6,7})$/, countries: ['IT'] },
  { shape: /^(?:\(\d{2}\) ?|\d{2} )(?:9 ?)?\d{4}-\d{4}$/, countries: ['BR'] },
  { shape: /^[6-9]\d{4}[ -]\d{5}$/, countries: ['IN'] },
  { shape: /^8 ?(?:\(\d{3}\)|\d{3}) ?\d{3}-\d{2}-\d{2}$/, countries: ['RU'] },
  { shape: /^1[38]00 \d{3} \d{3}$/, countries: ['AU'] },
]

/** No shape above has more groups of digits. */
export const MAX_GROUPS = 6

/** Countries whose numbers are tried, however they are grouped, after a word that announces one. */
export const ANNOUNCED: readonly CountryCode[] = [
  ...(['US', 'GB', 'DE', 'FR', 'ES', 'IT', 'NL', 'PL', 'BR', 'IN', 'AU'] as const),
  ...(['PT', 'CH', 'AT', 'BE', 'JP', 'CN', 'MX', 'SE', 'RU'] as const),
]
