import { PERSONAL_DATA_KINDS } from './detector.ts'

const REACH = 48
const PLACEHOLDERS = PERSONAL_DATA_KINDS.map(kind => `[${kind}]`)
const MAY_BE_WORD = /[a-z]|[^\0-\x7f]/i
/** Marks of quotations and lists that may stand before a value on its line. */
const LINE_BEGINS = /^[\s>*|"'(-]*$/
/** A line that labels the next: it ends with a colon, or has one to three words without the end of a sentence. */
const LABEL_LINE = /^[\s>*|"'-]*(?:\p{L}[^\d\n\]]{0,38}:|\p{L}+\.?(?:[ /-]\p{L}+\.?){0,2})[\s*|"']*$/u

/**
 * The words between two positions on a line, or on the line before when it is a label. Words before a placeholder count
 * no more, so that a second scrub finds nothing new.
 */
const wordsBetween = (text: string, from: number, position: number): string => {
  const before = text.slice(from, position)
  const line = before.slice(before.lastIndexOf('\n') + 1)
  const words = line.length < before.length && LINE_BEGINS.test(line) ? labelBefore(text, from, position) : line
  return behindPlaceholder(words)
}

const behindPlaceholder = (words: string): string => {
  for (let end = words.lastIndexOf(']'); end > 0; end = words.lastIndexOf(']', end - 1)) {
    if (PLACEHOLDERS.some(placeholder => words.endsWith(placeholder, end + 1))) return words.slice(end + 1)
  }
  return words
}

const labelBefore = (text: string, from: number, position: number): string => {
  const before = text.slice(from, position).trimEnd()
  const begin = before.lastIndexOf('\n') + 1
  const isWhole = begin > 0 || from === 0 || text[from - 1] === '\n'
  const label = before.slice(begin)
  return isWhole && LABEL_LINE.test(label) ? `${label.replace(/(?<![\s:*|"'])[\s:*|"']+$/, '')}: ` : ''
}

/** True when words shortly before a position match, also across other numbers. */
export const isPrecededBy = (words: RegExp, text: string, position: number): boolean => {
  const before = wordsBetween(text, Math.max(0, position - REACH), position)
  return MAY_BE_WORD.test(before) && words.test(before)
}

/**
 * The words shortly before a position without a digit in between. They tell numbers that have no form of their own. No
 * two numbers share such words, so looking at all of them reads the text once.
 */
export const introductionAt = (text: string, position: number): string => {
  const least = Math.max(0, position - REACH)
  let from = position
  while (from > least && !isDigit(text.charCodeAt(from - 1))) from -= 1
  if (from === position) return ''
  const between = wordsBetween(text, from, position)
  return MAY_BE_WORD.test(between) ? between : ''
}

/** True when words introduce a number at a position. */
export const isIntroducedBy = (words: RegExp, text: string, position: number): boolean => {
  const introduction = introductionAt(text, position)
  return introduction !== '' && words.test(introduction)
}

const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39

/**
 * Matches words, alone or in a name such as `tax_id` or `customerSsn`, with at most 25 characters between them and the
 * number.
 */
export const introducing = (words: string): RegExp =>
  new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})[^\\d\\n]{0,25}$`, 'iu')

/** Words, in some languages, before the number of a thing, not a person. */
export const THING_NUMBER =
  /(?<!\p{L})(?:(?:order|invoice|ticket|issue|case|item|sku|part|parcel|shipment|serial|tracking|awb|reference|ref|article|build|batch|job|version|offset|po|isbn|ean|gtin|upc|siret|siren|kvk|cnpj|nip|vat|iban|timestamp|ts|epoch|fedex|ups|usps|dhl|gls|dpd|tnt|imei|imsi|iccid|(?:user|account|customer|client|request|session|device|trace|event|object|message|thread|record|product|student|employee|transaction|payment|subscription)[ _-]?id)s?|bestell\p{L}*|rechnung\p{L}*|auftrag\p{L}*|artikel\p{L}*|vorgang\p{L}*|vertrag\p{L}*|kunden(?:nummer|nr)|commandes?|factures?|colis|dossier|r[ée]f[ée]rence|pedidos?|facturas?|expediente|albar[áa]n|fattur[ae]|ordin[ei]|pratica|bestelling\p{L}*|factuur\p{L}*|kenmerk|faturas?|nota fiscal|protocolo|zamówieni\p{L}*|faktur\p{L}*|spraw\p{L}*|przesyłk\p{L}*)[\s_.:#="'-]*(?:(?:number|no|nr|num|n°|nº|numéro|número|numero|numer|nummer|id|code|is|ist|est|es)(?!\p{L})[\s_.:#="'-]*){0,2}$/iu
