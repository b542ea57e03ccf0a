import type { CountryCode } from 'libphonenumber-js/max'
import { isIntroducedBy, THING_NUMBER } from './context.ts'
import type { Detector, Span } from './detector.ts'
import type { NumberingPlans } from './numbering-plans.ts'
import { type PhoneStart, type PhoneWindow, phoneStarts } from './phone-windows.ts'

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
const NATIONAL_WRITINGS: readonly NationalWriting[] = [
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
const MAX_GROUPS = 6

/** Countries whose numbers are tried, however they are grouped, after a word that announces one. */
const ANNOUNCED: readonly CountryCode[] = [
  ...(['US', 'GB', 'DE', 'FR', 'ES', 'IT', 'NL', 'PL', 'BR', 'IN', 'AU'] as const),
  ...(['PT', 'CH', 'AT', 'BE', 'JP', 'CN', 'MX', 'SE', 'RU'] as const),
]

/** Nothing but a phone number follows these, so that any number of a possible length is one. */
const PHONE_WORDS =
  /(?:(?<!\p{L})(?:tele?|tlf|tfno?|tél|mobile|mob|fax|faks|sms|gsm|ph|portable|móvil|mobiel|telem[óo]vel)|phone|whatsapp|telefon\p{L}*|telefax|handy(?:nummer|nr)?|festnetz|rufnummer\p{L}*|durchwahl|rückruf\p{L}*|téléphone|teléfonos?|celular|telefon[oi]|cellulare|telefones?|telefoon\p{L}*|komórk\p{L}*|телефон\p{L}*|τηλέφωνο|puhelin\p{L}*|هاتف|电话|手机|電話|📞|☎|📱)(?!\p{Script=Latin})[^\d\n]{0,20}$/iu

/** These often come before a phone number, and before much else: what follows must be one that a country gives out. */
const REACH_WORDS =
  /(?<!\p{L})(?:call(?:ed|s)?|cell|r[iau]ng|dial|reach|text|(?:my|your|our|the|contact) numbers?|m|t|nummer|ruf\p{L}*|anruf\p{L}*|erreich\p{L}*|unter|appel\p{L}*|rappel\p{L}*|joindre|joignable|numéros?|llam[aeá]\p{L}*|llám\p{L}*|números?|chiam\p{L}*|richiam\p{L}*|numer[oiy]?|lig(?:ar|ue|o|uem)|contato|bel(?:len)?|bereik\p{L}*|dzwo\p{L}*|zadzwo\p{L}*|kontaktowe)(?!\p{L})[^\d\n]{0,24}$/iu

/** Right before a number, also after "phone", these say that it counts or identifies. */
const COUNT_WORDS = /(?<!\p{L})(?:id|uuid|count|total|size|model|build|os)[\s_.:#="'-]*$/iu

/** What stands between two numbers of a list. */
const LIST_LINK = /^[\s"')]{0,3}(?:[,;/|]|or|and|oder|und|ou|et|o|y|e|oraz|of|en|lub|i|a|albo|eller)[\s"'(]{0,3}$/i

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
