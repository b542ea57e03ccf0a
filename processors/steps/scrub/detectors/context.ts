const REACH = 40

/** The words shortly before a position, on its line: what a number without a form of its own is told by. */
const wordsBefore = (text: string, position: number): string => {
  const before = text.slice(Math.max(0, position - REACH), position)
  return before.slice(before.lastIndexOf('\n') + 1)
}

export const isIntroducedBy = (words: RegExp, text: string, position: number): boolean =>
  words.test(wordsBefore(text, position))

/** Words, in some languages, that say that the number after them counts or names a thing, not a person. */
export const THING_NUMBER =
  /(?<!\p{L})(?:order|invoice|ticket|issue|case|item|sku|part|serial|tracking|reference|ref|article|build|bestell\p{L}*|rechnung\p{L}*|auftrag\p{L}*|artikel\p{L}*|commande|facture|pedido|factura|fattura|ordine|fatura|zamówieni\p{L}*)[\s_.:#=-]*(?:number|no|nr|num|numéro|número|numero|id)?[\s_.:#=-]*$/iu
