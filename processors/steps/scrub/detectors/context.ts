const REACH = 48
const PLACEHOLDER_END = /.*\[(?:EMAIL|PHONE|NATIONAL_ID|CARD|IP_ADDRESS)\]/s

/**
 * The words shortly before a position, on its line: what a number without a form of its own is told by. What stands before a placeholder
 * says nothing any more, so that scrubbing again finds nothing more.
 */
const wordsBefore = (text: string, position: number): string => {
  const before = text.slice(Math.max(0, position - REACH), position)
  const line = before.slice(before.lastIndexOf('\n') + 1)
  return line.includes(']') ? line.replace(PLACEHOLDER_END, '') : line
}

export const isIntroducedBy = (words: RegExp, text: string, position: number): boolean =>
  words.test(wordsBefore(text, position))

/** Words, alone or in a row such as `tax_id` or `customerSsn`, with at most a few others between them and the number. */
export const introducing = (words: string): RegExp =>
  new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})[^\\d\\n]{0,25}$`, 'iu')

/** Words, in some languages, that say that the number after them counts or names a thing, not a person. */
export const THING_NUMBER =
  /(?<!\p{L})(?:(?:order|invoice|ticket|issue|case|item|sku|part|parcel|shipment|serial|tracking|awb|reference|ref|article|build|batch|job|version|offset|po|isbn|ean|gtin|upc|siret|siren|kvk|cnpj|nip|vat|iban|timestamp|ts|epoch)s?|bestell\p{L}*|rechnung\p{L}*|auftrag\p{L}*|artikel\p{L}*|vorgang\p{L}*|vertrag\p{L}*|kunden(?:nummer|nr)|commandes?|factures?|colis|dossier|r[ée]f[ée]rence|pedidos?|facturas?|expediente|albar[áa]n|fattur[ae]|ordin[ei]|pratica|bestelling\p{L}*|factuur\p{L}*|kenmerk|faturas?|nota fiscal|protocolo|zamówieni\p{L}*|faktur\p{L}*|spraw\p{L}*|przesyłk\p{L}*)[\s_.:#="'-]*(?:(?:number|no|nr|num|n°|nº|numéro|número|numero|numer|nummer|id|code|is|ist|est|es)(?!\p{L})[\s_.:#="'-]*){0,2}$/iu
