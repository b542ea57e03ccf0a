import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { isIntroducedBy, THING_NUMBER } from './context.ts'
import type { Detector, Span } from './detector.ts'
import { ANNOUNCED, NATIONAL_WRITINGS } from './national-writing.ts'
import { type PhoneStart, type PhoneWindow, phoneStarts } from './phone-windows.ts'
import { COUNT_WORDS, LIST_LINK, PHONE_WORDS, REACH_WORDS } from './phone-words.ts'

const THINGS = [THING_NUMBER, COUNT_WORDS]
const LONGEST_LIST_LINK = 12
/** Fewer digits after a mere "call" count something else. */
const MIN_REACHED_DIGITS = 9

/**
 * Phone numbers. After a plus, one that the numbering plans hold possible; without it, one that is written as only phone numbers are, that a
 * word such as "phone" introduces, or that continues a list of them.
 */
export const phone: Detector = {
  kind: 'PHONE',
  *find(text): Iterable<Span> {
    let found: Span = { start: 0, end: -1 }
    for (const start of phoneStarts(text)) {
      if (start.position < found.end) continue
      const continuesList =
        found.end >= 0 &&
        start.position - found.end <= LONGEST_LIST_LINK &&
        LIST_LINK.test(text.slice(found.end, start.position))
      const phone = phoneAt(start, text, continuesList)
      if (phone === undefined) continue
      found = { start: phone.start, end: phone.end }
      yield found
    }
  },
}

const phoneAt = ({ position, windows }: PhoneStart, text: string, continuesList: boolean): PhoneWindow | undefined => {
  const [longest] = windows
  if (longest === undefined) return undefined
  if (longest.written.includes('+')) return international(windows.map(window => withPlus(window)))
  if (THINGS.some(words => isIntroducedBy(words, text, position))) return undefined
  const abroad = /^00 ?[1-9]/.test(longest.written)
    ? windows.map(window => withPlus(window)).find(isGivenOut)
    : undefined
  if (abroad !== undefined) return abroad
  const announced = isIntroducedBy(PHONE_WORDS, text, position)
  const reached = announced || continuesList || isIntroducedBy(REACH_WORDS, text, position)
  return (
    windows.find(window => (window.endsChain || reached) && isNationalWriting(window)) ??
    (reached ? windows.find(isGivenOutSomewhere) : undefined) ??
    (announced ? windows.find(isPossibleSomewhere) : undefined)
  )
}

const international = (windows: readonly PhoneWindow[]): PhoneWindow | undefined =>
  windows.find(isGivenOut) ?? windows.find(({ written }) => parsePhoneNumberFromString(written)?.isPossible() === true)

/** `0049` and `(+49)` are ways to write `+49`. */
const withPlus = (window: PhoneWindow): PhoneWindow => ({
  ...window,
  written: window.written.replace(/^(?:00 ?|\(?\+)/, '+'),
})

const isGivenOut = ({ written }: PhoneWindow): boolean => parsePhoneNumberFromString(written)?.isValid() === true

const isNationalWriting = ({ written }: PhoneWindow): boolean =>
  NATIONAL_WRITINGS.some(
    ({ shape, countries, isTelling }) =>
      shape.test(written) &&
      countries.some(country => (isTelling ? isPossible(written, country) : isValid(written, country))),
  )

const isGivenOutSomewhere = ({ written, digits }: PhoneWindow): boolean =>
  digits >= MIN_REACHED_DIGITS && ANNOUNCED.some(country => isValid(written, country))

const isPossibleSomewhere = ({ written }: PhoneWindow): boolean =>
  parsePhoneNumberFromString(`+${written.replace(/\D/g, '')}`)?.isValid() === true ||
  ANNOUNCED.some(country => isPossible(written, country))

const isPossible = (written: string, country: CountryCode): boolean =>
  parsePhoneNumberFromString(written, country)?.isPossible() === true

const isValid = (written: string, country: CountryCode): boolean =>
  parsePhoneNumberFromString(written, country)?.isValid() === true
