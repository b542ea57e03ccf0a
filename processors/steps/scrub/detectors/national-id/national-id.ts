import { isIntroducedBy, THING_NUMBER } from '../context.ts'
import type { Detector } from '../detector.ts'
import { occurrences } from '../occurrences.ts'
import { austria } from './austria.ts'
import { balkans } from './balkans.ts'
import { balticCountries } from './baltic-countries.ts'
import { belgium } from './belgium.ts'
import { brazil } from './brazil.ts'
import { canadaAustraliaSouthAfrica } from './canada-australia-south-africa.ts'
import { czechiaSlovakia } from './czechia-slovakia.ts'
import { eastAsia } from './east-asia.ts'
import { france } from './france.ts'
import { germany } from './germany.ts'
import { greece } from './greece.ts'
import { ireland } from './ireland.ts'
import { italy } from './italy.ts'
import { netherlands } from './netherlands.ts'
import { nordicCountries } from './nordic-countries.ts'
import { poland } from './poland.ts'
import { portugal } from './portugal.ts'
import type { NationalScheme } from './scheme.ts'
import { southAsia } from './south-asia.ts'
import { southEastAsia } from './south-east-asia.ts'
import { spain } from './spain.ts'
import { spanishAmerica } from './spanish-america.ts'
import { switzerland } from './switzerland.ts'
import { turkeyIsrael } from './turkey-israel.ts'
import { unitedKingdom } from './united-kingdom.ts'
import { unitedStates } from './united-states.ts'

const SCHEMES: readonly NationalScheme[] = [
  austria,
  balkans,
  balticCountries,
  belgium,
  brazil,
  canadaAustraliaSouthAfrica,
  czechiaSlovakia,
  eastAsia,
  france,
  germany,
  greece,
  ireland,
  italy,
  netherlands,
  nordicCountries,
  poland,
  portugal,
  southAsia,
  southEastAsia,
  spain,
  spanishAmerica,
  switzerland,
  turkeyIsrael,
  unitedKingdom,
  unitedStates,
].flat()

const PLAIN = /^[\d-]+$/

/** National identity numbers of the countries above, each by its own rules. */
export const nationalId: Detector = {
  kind: 'NATIONAL_ID',
  *find(text) {
    for (const { written, isValid, introducedBy } of SCHEMES) {
      for (const { 0: found, index } of occurrences(written, text)) {
        const compact = found.replace(/[ ./()-]/g, '').toUpperCase()
        if (!isValid(compact)) continue
        if (introducedBy !== undefined && !isIntroducedBy(introducedBy, text, index)) continue
        // One number in fifty passes by chance: where a word names a thing's number, that is what it is.
        if (introducedBy === undefined && PLAIN.test(found) && isIntroducedBy(THING_NUMBER, text, index)) continue
        yield { start: index, end: index + found.length }
      }
    }
  },
}
