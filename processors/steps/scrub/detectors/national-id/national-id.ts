import { isIntroducedBy } from '../context.ts'
import type { Detector } from '../detector.ts'
import { brazil } from './brazil.ts'
import { france } from './france.ts'
import { germany } from './germany.ts'
import { italy } from './italy.ts'
import { netherlands } from './netherlands.ts'
import { poland } from './poland.ts'
import type { NationalScheme } from './scheme.ts'
import { spain } from './spain.ts'
import { switzerland } from './switzerland.ts'
import { unitedKingdom } from './united-kingdom.ts'
import { unitedStates } from './united-states.ts'

const SCHEMES: readonly NationalScheme[] = [
  brazil,
  france,
  germany,
  italy,
  netherlands,
  poland,
  spain,
  switzerland,
  unitedKingdom,
  unitedStates,
].flat()

/** National identity numbers of the countries above, each by its own rules. */
export const nationalId: Detector = {
  kind: 'NATIONAL_ID',
  *find(text) {
    for (const { written, isValid, introducedBy } of SCHEMES) {
      for (const { 0: found, index } of text.matchAll(written)) {
        const compact = found.replace(/[ .-]/g, '').toUpperCase()
        if (!isValid(compact)) continue
        if (introducedBy && !isIntroducedBy(introducedBy, text, index)) continue
        yield { start: index, end: index + found.length }
      }
    }
  },
}
