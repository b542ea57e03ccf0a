const REACH = 48
const PLACEHOLDER_END = /.*\[(?:EMAIL|PHONE|NATIONAL_ID|CARD|IP_ADDRESS)\]/s
const MAY_BE_WORD = /[a-z]|[^\0-\x7f]/i

/**
 * The words from a place on up to a position, on its line. What stands before a placeholder says nothing any more, so that scrubbing again
 * finds nothing more.
 */
const wordsBetween = (text: string, from: number, position: number): string => {
  const before = text.slice(from, position)
  const line = before.slice(before.lastIndexOf('\n') + 1)
  return line.includes(']') ? line.replace(PLACEHOLDER_END, '') : line
}

/** Whether words shortly before a position match, other numbers between them or not. */
export const isPrecededBy = (words: RegExp, text: string, position: number): boolean => {
  const before = wordsBetween(text, Math.max(0, position - REACH), position)
  return MAY_BE_WORD.test(before) && words.test(before)
}

/**
 * Whether words shortly before a position match, with no digit between them and it: what a number without a form of its own is told by. As
 * no two numbers share what stands before them, looking at all of them is one look at the text.
 */
export const isIntroducedBy = (words: RegExp, text: string, position: number): boolean => {
  const least = Math.max(0, position - REACH)
  let from = position
  while (from > least && !isDigit(text.charCodeAt(from - 1))) from -= 1
  if (from === position) return false
  const between = wordsBetween(text, from, position)
  return MAY_BE_WORD.test(between) && words.test(between)
}

const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39

/** Words, alone or in a row such as `tax_id` or `customerSsn`, with at most a few others between them and the number. */
export const introducing = (words: string): RegExp =>
  new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})[^\\d\\n]{0,25}$`, 'iu')

/** Words, in some languages, that say that the number after them counts or names a thing, not a person. */
export const THING_NUMBER =
  /(?<!\p{L})(?:(?:order|invoice|ticket|issue|case|item|sku|part|parcel|shipment|serial|tracking|awb|reference|ref|article|build|batch|job|version|offset|po|isbn|ean|gtin|upc|siret|siren|kvk|cnpj|nip|vat|iban|timestamp|ts|epoch)s?|bestell\p{L}*|rechnung\p{L}*|auftrag\p{L}*|artikel\p{L}*|vorgang\p{L}*|vertrag\p{L}*|kunden(?:nummer|nr)|commandes?|factures?|colis|dossier|r[ée]f[ée]rence|pedidos?|facturas?|expediente|albar[áa]n|fattur[ae]|ordin[ei]|pratica|bestelling\p{L}*|factuur\p{L}*|kenmerk|faturas?|nota fiscal|protocolo|zamówieni\p{L}*|faktur\p{L}*|spraw\p{L}*|przesyłk\p{L}*)[\s_.:#="'-]*(?:(?:number|no|nr|num|n°|nº|numéro|número|numero|numer|nummer|id|code|is|ist|est|es)(?!\p{L})[\s_.:#="'-]*){0,2}$/iu
