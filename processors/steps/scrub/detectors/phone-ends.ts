/** The longest of what is looked at behind a number. */
const REACH = 28

/**
 * An extension: `x565`, ` ext. 12`, `, Durchwahl 3`. A sign that means other things too stands close, or before two digits and more.
 */
const WORDS =
  '(?:ext(?:n|ension|ensión|ensão)?|poste|durchwahl|dw|nebenstelle|klappe|int(?:erno)?|anexo|toestel|tst|wew(?:n|nętrzny)?|ramal|anknytning|доб|вн)\\.?:? ?\\d{1,7}'
const EXTENSION = new RegExp(
  `^(?: ?x\\.? ?\\d{2,7}|x\\d|#\\d{2,6}|;ext=\\d{1,7}|,?[ -]?(?:${WORDS}|\\(${WORDS}\\)))(?![\\p{L}\\d_%]|[.:]\\d)`,
  'iu',
)

/** How many characters an extension has that begins at a position; none is 0. */
export const extensionAt = (text: string, position: number): number =>
  EXTENSION.exec(text.slice(position, position + REACH))?.[0].length ?? 0

const ENDS = '(?=[ \\t]*(?:$|[\\n,;.)|&]))'
/** Close to a number, or in parentheses behind it, they say which phone it is. */
const PHONE_LABELS =
  'fax|tele?fax|tel|phone|telephone|mobile|mob|cell|cellular|cell ?phone|handy|mobil|telefon|festnetz|portable|fixe|téléphone|móvil|fijo|teléfono|cellulare|fisso|telefono|mobiel|vast|telefoon|kom(?:órka)?|komórkowy|stacjonarny|telemóvel|celular|telefone|whatsapp|sms|voice'
const PLACE_LABELS =
  'office|home|work|desk|direct(?: line)?|main (?:line|number)|private|business|after hours|büro|privat|dienstlich|geschäftlich|arbeit|zentrale|bureau|domicile|travail|standard|oficina|casa|trabajo|ufficio|lavoro|kantoor|thuis|werk|biuro|dom|praca|escritório|trabalho'
const LABEL_BEHIND = new RegExp(
  `^(?:[ \\t]?[-/][ \\t]?|[ \\t]?[(\\[][ \\t]?|[ \\t]{0,2})(?:(${PHONE_LABELS})|${PLACE_LABELS})\\.?[)\\]]?${ENDS}`,
  'iu',
)

/** A label behind a number: of a phone for sure, or of a place that has one; close when a sign binds it to the number. */
export interface LabelBehind {
  readonly namesPhone: boolean
  readonly isBound: boolean
}

export const labelBehind = (text: string, position: number): LabelBehind | null => {
  const found = LABEL_BEHIND.exec(text.slice(position, position + REACH))
  if (found === null) return null
  return { namesPhone: found[1] !== undefined, isBound: !/^[ \t]*\p{L}/u.test(found[0]) }
}
