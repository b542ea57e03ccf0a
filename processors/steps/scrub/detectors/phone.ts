import type { CountryCode } from 'libphonenumber-js/max'
import { introductionAt, isPrecededBy, THING_NUMBER } from './context.ts'
import type { Detector, Span } from './detector.ts'
import { type Introductions, introducedAs } from './introduced.ts'
import { VERSION_WORDS } from './ip-address.ts'
import type { NumberingPlans } from './numbering-plans.ts'
import { type PhoneStart, type PhoneWindow, phoneStarts } from './phone-windows.ts'
import {
  AFTER_ADDRESS,
  BARE_CALL,
  CLEAR_CALL,
  COUNT_WORDS,
  COUNTED,
  LETTER_LABEL,
  labelBehind,
  PHONE_LABEL,
  PHONE_LINK,
  PHONE_WORDS,
  REACH_WORDS,
  SHORT_GROUPS,
  SHORT_NUMBER,
} from './phone-words.ts'

/** A form of phone numbers that needs no word before it, because hardly anything else has the form. */
interface NationalWriting {
  readonly shape: RegExp
  /** Countries with this form. The number must be in use in one of them. */
  readonly countries: readonly CountryCode[]
  /** The form alone suffices, so numbers that are not in use count, too, such as those for films. */
  readonly isTelling?: true
}

/** Countries whose national numbers begin with a zero, the trunk prefix. */
const TRUNK_ZERO: readonly CountryCode[] = ['GB', 'DE', 'FR', 'IT', 'NL', 'IN', 'AU', 'PL']

/** Groupings in the countries' numbering plans and phone books (ITU-T E.123 for the general form). */
const NATIONAL_WRITINGS: readonly NationalWriting[] = [
  { shape: /^(?:1[-. ])?(?:\([2-9]\d\d\) ?|[2-9]\d\d[-. ])[2-9]\d\d[-. ]\d{4}$/, countries: ['US', 'CA'] },
  { shape: /^(?:(?:1[- ]?)?\(\d{3}\) ?|(?:00)?1-\d{3}-)\d{3}[-. ]\d{4}$/, countries: ['US'], isTelling: true },
  { shape: /^[02-9]\d\d-\d{3}-\d{4}$/, countries: ['US', 'KR', 'JP'], isTelling: true },
  { shape: /^0[1-9](?:([ .-])\d\d)(?:\1\d\d){3}$/, countries: ['FR'], isTelling: true },
  { shape: /^(?:\(0\d{2,4}\)|0\d{2,4}) \d{3,4} ?\d{3,4}$/, countries: ['GB'], isTelling: true },
  { shape: /^07\d{3} ?\d{3} ?\d{3}$/, countries: ['GB'], isTelling: true },
  { shape: /^(?:\(0[1-9]\d{0,3}\) ?|0[1-9]\d{0,3}(?: |-| ?\/ ?))\d{3,8}(?:[ -]\d{1,5}){0,3}$/, countries: TRUNK_ZERO },
  { shape: /^0[1-9](?: \d{2}){4}$/, countries: ['FR', 'NL'], isTelling: true },
  { shape: /^\(0[1-9]\d{0,2}\)[ .-]{0,2}\d{3,4}[ .-]\d{3,4}$/, countries: ['AU', 'GB', 'NZ', 'DE'], isTelling: true },
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

/** Most groups of the forms above. */
const MAX_GROUPS = 6

/** Countries whose numbers are tried in any grouping, after a word that announces a number. */
const ANNOUNCED: readonly CountryCode[] = [
  ...(['US', 'GB', 'DE', 'FR', 'ES', 'IT', 'NL', 'PL', 'BR', 'IN', 'AU'] as const),
  ...(['PT', 'CH', 'AT', 'BE', 'JP', 'CN', 'MX', 'SE', 'RU'] as const),
]

/** Text between two numbers of a list. */
const LIST_LINK =
  /^[\s"')]{0,3}(?:[,;/|]|or|and|to|instead of|oder|und|ou|et|o|y|e|oraz|of|en|lub|i|a|albo|eller)[\s"'(]{0,3}$/i

const THINGS = [THING_NUMBER, COUNT_WORDS]
const MAX_LIST_LINK = 12
/** Fewer digits after a mere "call" are something else. */
const MIN_REACHED_DIGITS = 9
/** The shortest mobile numbers. They must be in use in a country where the word is spoken. */
const MIN_SPOKEN_DIGITS = 7

/**
 * Phone numbers. After a plus, a number that the numbering plans hold possible. Without a plus, a number that has a
 * form of phone numbers alone, that a word such as "phone" introduces, or that continues a list of phone numbers.
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
  if (VERSION.test(longest.written) || HEX_DUMP.test(text.slice(Math.max(0, position - 6), position))) return undefined
  if (PHONE_LINK.test(text.slice(Math.max(0, position - LONGEST_LINK), position)))
    return windows.find(({ digits }) => digits <= LONG.most)
  const introduction = introductionAt(text, position)
  const words = introducedAs(introduction)
  const isAnnounced = words.has('phone') || PHONE_WORDS.test(introduction)
  if (longest.written.includes('+')) return international(windows.map(withPlus), text, isAnnounced, plans)
  if ((!isAnnounced && SEQUENCE.test(longest.written)) || isOfThing(introduction, words)) return undefined
  const abroad = ABROAD.test(longest.written) ? dialledAbroad(windows, plans) : undefined
  if (abroad !== undefined) return abroad
  const isLabelled = PHONE_LABEL.test(introduction) || (words.has('phone') && LABEL_END.test(introduction))
  const reached = isAnnounced || continuesList || words.has('call') || REACH_WORDS.test(introduction)
  const spoken = countriesOf(words)
  return (
    (isLabelled ? windows.find(window => isWholeLine(window, text)) : undefined) ??
    windows.find(window => (window.endsChain || reached) && isNationalWriting(window, plans)) ??
    (reached
      ? windows.find(window => isGivenOutSomewhere(window, plans) || isGivenOutIn(spoken, window, text, plans))
      : undefined) ??
    (isAnnounced ? windows.find(window => !isCount(window, text) && isPossibleSomewhere(window, plans)) : undefined) ??
    (isLabelled ? windows.findLast(mayBeLabelled) : undefined) ??
    windows.find(
      window =>
        window.endsChain &&
        (isDotted(window, text) ||
          isExtended(window, plans) ||
          isLabelledBehind(window, text, plans) ||
          isCalled(window, text, introduction, plans)),
    )
  )
}

/** True when the nearest word gives the number to something else than a phone. */
const isOfThing = (introduction: string, words: Introductions): boolean =>
  THINGS.some(thing => thing.test(introduction)) || (words.get('thing')?.end ?? -1) > (words.get('phone')?.end ?? -1)

/** A label of the table ends with a colon or a dot. */
const LABEL_END = /\p{L}\p{M}*(?:\.|\s?[:=：])[\s"'*]*$/u

const LONGEST_LINK = 48

/** A version: groups between dots, with a group of one digit after the first. */
const VERSION = /^\d+(?:\.\d{2,})*\.\d(?:\.\d+)*$/
/** Two bytes right before the number, one of them with a letter: `48 8b 05 00 00 00 00`. */
const HEX_DUMP = /(?<![\p{L}\d])(?=[\da-f ]{0,4}[a-f])[\da-f]{2} [\da-f]{2} $/iu
/** Digits that people type to try a field. */
const SEQUENCE = /^0?123456789?0?$/

const ABROAD = /^00 ?[1-9]/
/** North American numbers dialled from abroad. The three digits need not be in use. */
const NORTH_AMERICAN_ABROAD = /^\+1-\d{3}-\d{3}-\d{4}$/

const dialledAbroad = (windows: readonly PhoneWindow[], plans: NumberingPlans): PhoneWindow | undefined =>
  windows.map(withPlus).find(({ written }) => NORTH_AMERICAN_ABROAD.test(written) || plans.isValid(written))

/** Length of a number that no plan holds possible. It also needs a sign inside or a word before it. */
const LONG = { least: 10, most: 15 }

const international = (
  windows: readonly PhoneWindow[],
  text: string,
  isAnnounced: boolean,
  plans: NumberingPlans,
): PhoneWindow | undefined =>
  windows.find(({ written }) => plans.isValid(written)) ??
  windows.find(window => !isCount(window, text) && plans.isPossible(window.written)) ??
  windows.find(
    ({ written, digits, endsChain }) =>
      endsChain && digits >= LONG.least && digits <= LONG.most && (/[()-]/.test(written) || isAnnounced),
  )

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

/** Countries of the words before a number, beside those that are always tried. */
const countriesOf = (words: Introductions): readonly CountryCode[] =>
  [...(words.get('phone')?.countries ?? []), ...(words.get('call')?.countries ?? [])].filter(
    country => !ANNOUNCED.includes(country),
  )

/** True when the number is in use in a country of the words before it. */
const isGivenOutIn = (
  countries: readonly CountryCode[],
  window: PhoneWindow,
  text: string,
  plans: NumberingPlans,
): boolean =>
  window.digits >= MIN_SPOKEN_DIGITS &&
  !isCount(window, text) &&
  countries.some(country => plans.isValid(window.written, country))

/** Three, three and four digits between dots, unless a word calls them a version. */
const DOTTED = /^[2-9]\d{2}\.[2-9]\d{2}\.\d{4}$/
const isDotted = ({ start, written }: PhoneWindow, text: string): boolean =>
  DOTTED.test(written) && !isPrecededBy(VERSION_WORDS, text, start)

/** Only phones have extensions. `3840 x 2160` and a version for x64 have fewer digits or other groups. */
const EXTENDED = /^(?:\d{3,5}[- ]|\(?\d{2,4}\)?[-. /]{1,2})?\d{3,4}[-. ]?\d{3,4}$|^\d{10}$/
const isExtended = ({ written, digits, extension }: PhoneWindow, plans: NumberingPlans): boolean =>
  extension !== 'none' &&
  (digits >= MIN_REACHED_DIGITS || extension === 'word') &&
  EXTENDED.test(written) &&
  ANNOUNCED.some(country => plans.isPossible(written, country))

const mayBeLabelled = ({ written, digits, endsChain }: PhoneWindow): boolean =>
  endsChain && digits <= LONG.most && !(digits < MIN_REACHED_DIGITS && THOUSANDS.test(written))

const LONGEST_UNIT = 16
const isCount = ({ end }: PhoneWindow, text: string): boolean => COUNTED.test(text.slice(end, end + LONGEST_UNIT))

const LINE_END = /^[ \t]*(?:$|\n)/
/** After a label the number takes all digits up to the end of the line, so that no rest of a longer number stays. */
const isWholeLine = (window: PhoneWindow, text: string): boolean =>
  !window.written.includes('/') &&
  LINE_END.test(text.slice(window.end, window.end + LONGEST_UNIT)) &&
  mayBeLabelled(window)

/** `234 567 890` is a count as often as a phone number. */
const THOUSANDS = /^\d{1,3}(?:[ .]\d{3})+$/

const isLabelledBehind = (window: PhoneWindow, text: string, plans: NumberingPlans): boolean => {
  const label = labelBehind(text, window.end)
  if (label === null) return false
  const isPlain = !/\D/.test(window.written)
  if (!label.isBound && THOUSANDS.test(window.written)) return false
  const isWholeLine = text[window.start - 1] === '\n' || window.start === 0
  return isPlain && !isWholeLine && !(label.namesPhone && label.isBound)
    ? isGivenOutSomewhere(window, plans)
    : isPossibleSomewhere(window, plans)
}

/** Unix seconds of these decades, which are as long as an American number. */
const SECONDS = /^1[5-9]\d{8}$/

const ADDRESS_REACH = 90
const followsAddress = ({ start }: PhoneWindow, text: string): boolean =>
  AFTER_ADDRESS.test(text.slice(Math.max(0, start - ADDRESS_REACH), start))

/** A number that somebody asks to call, of any length. Seven or eight digits must have the form of a short number. */
const isCalled = (window: PhoneWindow, text: string, introduction: string, plans: NumberingPlans): boolean => {
  const { written, digits } = window
  const isShort = SHORT_NUMBER.test(written)
  const isLong = digits >= MIN_REACHED_DIGITS && !SECONDS.test(written)
  if (!(isShort || isLong) || isCount(window, text)) return false
  if (CLEAR_CALL.test(introduction) || followsAddress(window, text))
    return isShort || isPossibleSomewhere(window, plans)
  return SHORT_GROUPS.test(written) && (BARE_CALL.test(introduction) || LETTER_LABEL.test(introduction))
}
