import { introductionAt, isIntroducedBy, THING_NUMBER } from './context.ts'
import type { Detector } from './detector.ts'
import { isOneDigitRepeated, type NumberCandidate, numberCandidates, passesLuhn } from './digits.ts'
import { introducedAs } from './introduced.ts'

interface Issuer {
  /** The first and the last prefix of a range, with equal lengths. */
  readonly from: number
  readonly to: number
  readonly lengths: readonly number[]
}

const SIXTEEN_TO_NINETEEN = [16, 17, 18, 19]
const TWELVE_TO_NINETEEN = [12, 13, 14, 15, ...SIXTEEN_TO_NINETEEN]

/** Issuer ranges as the networks publish them (ISO/IEC 7812 identification numbers). */
const ISSUERS: readonly Issuer[] = [
  { from: 4, to: 4, lengths: [13, 16, 19] },
  { from: 51, to: 55, lengths: [16] },
  { from: 2221, to: 2720, lengths: [16] },
  { from: 34, to: 34, lengths: [15] },
  { from: 37, to: 37, lengths: [15] },
  { from: 300, to: 305, lengths: [14, 16, 19] },
  { from: 36, to: 36, lengths: [14, 16, 19] },
  { from: 38, to: 39, lengths: [14, 16, 19] },
  { from: 3528, to: 3589, lengths: SIXTEEN_TO_NINETEEN },
  // The rest of the block is unassigned; test numbers lie in it.
  { from: 35, to: 35, lengths: [16] },
  // JCB's numbers before it had a block of its own.
  { from: 1800, to: 1800, lengths: [15] },
  { from: 2131, to: 2131, lengths: [15] },
  { from: 3088, to: 3088, lengths: [16] },
  { from: 3096, to: 3096, lengths: [16] },
  { from: 3112, to: 3112, lengths: [16] },
  { from: 3158, to: 3158, lengths: [16] },
  { from: 3337, to: 3337, lengths: [16] },
  { from: 6011, to: 6011, lengths: SIXTEEN_TO_NINETEEN },
  { from: 644, to: 659, lengths: SIXTEEN_TO_NINETEEN },
  { from: 62, to: 62, lengths: SIXTEEN_TO_NINETEEN },
  { from: 5018, to: 5018, lengths: TWELVE_TO_NINETEEN },
  { from: 5020, to: 5020, lengths: TWELVE_TO_NINETEEN },
  { from: 5038, to: 5038, lengths: TWELVE_TO_NINETEEN },
  { from: 6304, to: 6304, lengths: TWELVE_TO_NINETEEN },
  { from: 6759, to: 6763, lengths: TWELVE_TO_NINETEEN },
  { from: 5893, to: 5893, lengths: TWELVE_TO_NINETEEN },
  { from: 6390, to: 6390, lengths: TWELVE_TO_NINETEEN },
  { from: 2200, to: 2204, lengths: SIXTEEN_TO_NINETEEN },
  { from: 5066, to: 5067, lengths: [16] },
  { from: 5085, to: 5089, lengths: [16] },
  { from: 5090, to: 5090, lengths: [16] },
  { from: 504175, to: 504175, lengths: [16] },
  { from: 606282, to: 606282, lengths: [16] },
  { from: 627780, to: 627780, lengths: [16] },
  { from: 636297, to: 636297, lengths: [16] },
  { from: 636368, to: 636368, lengths: [16] },
  { from: 9792, to: 9792, lengths: [16] },
]

/** Groupings on cards. Digits without a gap are one group. */
const GROUPINGS: ReadonlySet<string> = new Set(['4,4,4,4', '4,4,4,4,3', '4,6,5', '4,6,4', '4,4,4,1', '6,13', '8,8'])

const MAX_GROUPS = 5

const hasIssuer = (digits: string): boolean =>
  ISSUERS.some(({ from, to, lengths }) => {
    const prefix = Number(digits.slice(0, String(from).length))
    return prefix >= from && prefix <= to && lengths.includes(digits.length)
  })

const OTHER_CARDS =
  'sim|sd|id|gift|score|index|flash|memory|video|sound|graphics|network|access|trello|kanban|story|task|jira|business|library|loyalty|report|wild|grafik|sound|netzwerk|speicher|geschenk|visiten|post|land'
/** Words between the card word and the number. */
const BETWEEN =
  'number|numbers|num|no|nr|n°|nº|nummer|numéro|número|numero|numer|is|are|ist|lautet|est|es|è|é|to|with|the|my|was|of|on|de|di|credit|debit|crédit|crédito|credito|débito|bancaire|bleue|paiement|kredytow\\p{L}*|płatnicz\\p{L}*|bankow\\p{L}*|details|charged|declined|mastercard|master|visa'
/**
 * After these words a number with the right check digit is a card's, whoever issued it; not after a SIM card, a gift
 * card or the like.
 */
const CARD_WORDS = new RegExp(
  `(?<!\\p{L})(?:(?<!(?:${OTHER_CARDS})[ _-]?)(?:cards?|karten?|cartes?|cartas?|tarjetas?|kaart|kart[aęyąi]|cart(?:ão|ao|ões)|kort)|cc|ccn|(?:kredit|bank|debit|giro|ec|betal)-?(?:karten?|kort)|karten(?:nummer|nr)|(?:credit|bank)(?:card|kaart)|bancomat|pinpas|visa|master ?card|maestro|amex|american express|jcb|diners(?: club)?|discover|unionpay)(?!\\p{L})(?:[\\s_.:#='"-]*(?:${BETWEEN})(?!\\p{L})){0,5}[\\s_.:#='"-]*$`,
  'iu',
)

/** Words that make the card another one: `SIM-Karte`. */
const OTHER_CARD = new RegExp(`(?<!\\p{L})(?:${OTHER_CARDS})(?!\\p{L})`, 'iu')

/** Groups of four, with a shorter last group. */
const FOURS = /^4(?:,4){2,3}(?:,[1-4])?$/

/**
 * Payment card numbers: an issuer's range and length, or a card word before it; grouped as on a card or not at all,
 * with the right check digit.
 */
export const card: Detector = {
  kind: 'CARD',
  *find(text) {
    const candidates = numberCandidates(text, { min: 12, max: 19, maxGroups: MAX_GROUPS })
    let known = -1
    for (const candidate of candidates) {
      const { start, end, digits, grouping } = candidate
      if (!passesLuhn(digits) || isOneDigitRepeated(digits) || isFraction(candidate, text)) continue
      const printedAsCard = !grouping.includes(',') || GROUPINGS.has(grouping)
      if (printedAsCard && hasIssuer(digits) && !countsThings(candidate, text)) {
        known = start
        yield { start, end }
      } else if (known !== start && isIntroduced(candidate, text)) yield { start, end }
    }
  },
}

/** The digits of a decimal fraction, as in `0.4111111111111111`. */
const isFraction = ({ start, grouping }: NumberCandidate, text: string): boolean =>
  !grouping.includes(',') && text[start - 1] === '.' && /\d/.test(text[start - 2] ?? '')

/**
 * True when a word such as "order" names the number. With 15 or 16 digits, a card's usual length, the number is a
 * card's all the same.
 */
const countsThings = ({ start, digits }: NumberCandidate, text: string): boolean =>
  digits.length !== 15 && digits.length !== 16 && isIntroducedBy(THING_NUMBER, text, start)

const isIntroduced = ({ start, grouping }: NumberCandidate, text: string): boolean =>
  (!grouping.includes(',') || FOURS.test(grouping)) &&
  (isIntroducedBy(CARD_WORDS, text, start) || isCalledCard(introductionAt(text, start)))

const isCalledCard = (introduction: string): boolean =>
  introducedAs(introduction).has('card') && !OTHER_CARD.test(introduction)
