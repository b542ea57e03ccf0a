import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { isIntroducedBy, THING_NUMBER } from './context.ts'
import type { Detector } from './detector.ts'
import { asciiDigits } from './digit-groups.ts'

/** Digits with what people put between them, after a plus, an opening parenthesis or nothing. */
const CANDIDATE =
  /(?<![\p{L}\p{N}_+.,#$€£¥])[+＋(]?\p{Nd}(?:[ \u00a0\u202f()./\u2010\u2011\u2013-]{0,3}\p{Nd}){6,16}(?![\p{L}\p{N}_%]|[.,]\p{Nd})/gu
const CALLED_PHONE =
  /(?:(?<!\p{L})(?:tel|mobile|mob|cell|call|fax|sms|portable|appel\p{L}*|llam\p{L}*|bel|mobiel|móvil)|phone|whatsapp|telefon\p{L}*|handy\p{L}*|rückruf\p{L}*|anruf\p{L}*|téléphone|teléfono|celular|telefono|cellulare|telefone|telefoon\p{L}*|komórk\p{L}*|телефон\p{L}*|电话|手机|電話)[^\p{Nd}\n]{0,20}$/iu
/** Countries whose national writing is tried where a word says that the number is a phone's. */
const NATIONAL: readonly CountryCode[] = ['US', 'GB', 'DE', 'FR', 'ES', 'IT', 'NL', 'PL', 'BR', 'IN', 'AU', 'JP', 'CN']

/** National writing that needs no such word, because nothing else is written so. */
const TELLING_SHAPES: readonly { readonly country: CountryCode; readonly shape: RegExp }[] = [
  { country: 'US', shape: /^(?:\([2-9]\d\d\) ?|[2-9]\d\d[-.])[2-9]\d\d[-.]\d{4}$/ },
  { country: 'FR', shape: /^0[1-9](?:([ .-])\d\d)(?:\1\d\d){3}$/ },
  { country: 'GB', shape: /^(?:\(?0\d{2,4}\)?) \d{3,4} ?\d{3,4}$/ },
  { country: 'DE', shape: /^(?:\(0\d{2,4}\) ?|0\d{2,4}[ /-]{1,3})\d{3,8}(?:[ -]\d{1,5}){0,3}$/ },
]

/**
 * Phone numbers. After a plus, one that the numbering plans hold possible; without it, one that is valid in a country and either is
 * introduced by a word such as "phone" or written as only phone numbers are.
 */
export const phone: Detector = {
  kind: 'PHONE',
  *find(text) {
    for (const match of text.matchAll(CANDIDATE)) {
      const written = asciiDigits(match[0]).replace('＋', '+')
      if (isPhone(written, text, match.index)) yield { start: match.index, end: match.index + match[0].length }
    }
  },
}

const isPhone = (written: string, text: string, position: number): boolean => {
  if (written.startsWith('+')) return isInternational(written)
  if (isIntroducedBy(THING_NUMBER, text, position)) return false
  if (isIntroducedBy(CALLED_PHONE, text, position)) {
    return isInternational(written.replace(/^00/, '+')) || NATIONAL.some(country => isPossible(written, country))
  }
  return TELLING_SHAPES.some(
    ({ country, shape }) => shape.test(written) && (country === 'US' || isValid(written, country)),
  )
}

const isInternational = (written: string): boolean =>
  written.startsWith('+') && parsePhoneNumberFromString(written)?.isPossible() === true

const isPossible = (written: string, country: CountryCode): boolean =>
  parsePhoneNumberFromString(written, country)?.isPossible() === true

const isValid = (written: string, country: CountryCode): boolean =>
  parsePhoneNumberFromString(written, country)?.isValid() === true
