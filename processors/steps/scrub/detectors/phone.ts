import { isIntroducedBy, THING_NUMBER } from './context.ts'
import type { Detector, Span } from './detector.ts'
import { ANNOUNCED, MAX_GROUPS, NATIONAL_WRITINGS } from './national-writing.ts'
import type { NumberingPlans } from './numbering-plans.ts'
import { type PhoneStart, type PhoneWindow, phoneStarts } from './phone-windows.ts'
import { COUNT_WORDS, LIST_LINK, PHONE_WORDS, REACH_WORDS } from './phone-words.ts'

const THINGS = [THING_NUMBER, COUNT_WORDS]
const MAX_LIST_LINK = 12
/** Fewer digits after a mere "call" count something else. */
const MIN_REACHED_DIGITS = 9

/**
 * Phone numbers. After a plus, one that the numbering plans hold possible; without it, one that is written as only phone numbers are, that a
 * word such as "phone" introduces, or that continues a list of them.
 */
export const phone: Detector = {
  kind: 'PHONE',
  *find(text, plans): Iterable<Span> {
    let found: Span = { start: 0, end: -1 }
    for (const start of phoneStarts(text)) {
      if (start.position < found.end) continue
      const continuesList =
        found.end >= 0 &&
        start.position - found.end <= MAX_LIST_LINK &&
        LIST_LINK.test(text.slice(found.end, start.position))
      const phone = phoneAt(start, text, continuesList, plans)
      if (phone === undefined) continue
      found = { start: phone.start, end: phone.end }
      yield found
    }
  },
}

const phoneAt = (
  { position, windows }: PhoneStart,
  text: string,
  continuesList: boolean,
  plans: NumberingPlans,
): PhoneWindow | undefined => {
  const [longest] = windows
  if (longest === undefined) return undefined
  if (longest.written.includes('+')) return international(windows.map(withPlus), plans)
  if (THINGS.some(words => isIntroducedBy(words, text, position))) return undefined
  const abroad = ABROAD.test(longest.written)
    ? windows.map(withPlus).find(({ written }) => plans.isValid(written))
    : undefined
  if (abroad !== undefined) return abroad
  const announced = isIntroducedBy(PHONE_WORDS, text, position)
  const reached = announced || continuesList || isIntroducedBy(REACH_WORDS, text, position)
  return (
    windows.find(window => (window.endsChain || reached) && isNationalWriting(window, plans)) ??
    (reached ? windows.find(window => isGivenOutSomewhere(window, plans)) : undefined) ??
    (announced ? windows.find(window => isPossibleSomewhere(window, plans)) : undefined)
  )
}

const ABROAD = /^00 ?[1-9]/

const international = (windows: readonly PhoneWindow[], plans: NumberingPlans): PhoneWindow | undefined =>
  windows.find(({ written }) => plans.isValid(written)) ?? windows.find(({ written }) => plans.isPossible(written))

/** `0049` and `(+49)` are ways to write `+49`. */
const withPlus = (window: PhoneWindow): PhoneWindow => ({
  ...window,
  written: window.written.replace(/^(?:00 ?|\(?\+)/, '+'),
})

const isNationalWriting = ({ written, groups }: PhoneWindow, plans: NumberingPlans): boolean =>
  groups <= MAX_GROUPS &&
  NATIONAL_WRITINGS.some(
    ({ shape, countries, isTelling }) =>
      shape.test(written) &&
      countries.some(country => (isTelling ? plans.isPossible(written, country) : plans.isValid(written, country))),
  )

const isGivenOutSomewhere = ({ written, digits }: PhoneWindow, plans: NumberingPlans): boolean =>
  digits >= MIN_REACHED_DIGITS && ANNOUNCED.some(country => plans.isValid(written, country))

const isPossibleSomewhere = ({ written }: PhoneWindow, plans: NumberingPlans): boolean =>
  plans.isValid(`+${written.replace(/\D/g, '')}`) || ANNOUNCED.some(country => plans.isPossible(written, country))
