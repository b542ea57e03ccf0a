import { isIntroducedBy, THING_NUMBER } from '../context.ts'
import { type Detector, occurrences } from '../detector.ts'
import type { NationalScheme } from '../digits.ts'
import { CLEAR_CALL, PHONE_LABEL } from '../phone-words.ts'
import { americasAndCommonwealth } from './americas-and-commonwealth.ts'
import { asia } from './asia.ts'
import { northernEurope } from './northern-europe.ts'
import { southernAndEasternEurope } from './southern-and-eastern-europe.ts'
import { westernEurope } from './western-europe.ts'

const SCHEMES: readonly NationalScheme[] = [
  westernEurope,
  southernAndEasternEurope,
  northernEurope,
  asia,
  americasAndCommonwealth,
].flat()

const PLAIN = /^[\d -]+$/

/** National identity numbers of many countries, each by its own rules. */
export const nationalId: Detector = {
  kind: 'NATIONAL_ID',
  *find(text) {
    for (const { written, isValid, introducedBy } of SCHEMES) {
      for (const { 0: found, index } of occurrences(written, text)) {
        const compact = found.replace(/[ ./()-]/g, '').toUpperCase()
        if (!isValid(compact)) continue
        if (introducedBy !== undefined && !isIntroducedBy(introducedBy, text, index)) continue
        // One number in fifty passes by chance: where a word names a thing's number, that is what it is.
        if (introducedBy === undefined && PLAIN.test(found) && isOfSomethingElse(text, index)) continue
        yield { start: index, end: index + found.length }
      }
    }
  },
}

const isOfSomethingElse = (text: string, index: number): boolean =>
  isIntroducedBy(THING_NUMBER, text, index) ||
  isIntroducedBy(PHONE_LABEL, text, index) ||
  isIntroducedBy(CLEAR_CALL, text, index) ||
  COUNTRY_CODE_BEFORE.test(text.slice(Math.max(0, index - 6), index))

const COUNTRY_CODE_BEFORE = /\+(?:\d{1,3}[ -])?$/
