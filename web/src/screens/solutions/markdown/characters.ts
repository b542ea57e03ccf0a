/** Characters that are written by a name, a number or a backslash. */

const PUNCTUATION = /[!-/:-@[-`{-~]/
const ENTITY = /&(?:#[xX]([0-9a-fA-F]{1,6})|#(\d{1,7})|([a-zA-Z][a-zA-Z0-9]{1,31}));/y
const NO_CHARACTER = '\uFFFD'
const MAX_CODE_POINT = 0x10_ff_ff

export const isPunctuation = (character: string | undefined): boolean =>
  character !== undefined && PUNCTUATION.test(character)

/** The character of a name of HTML, such as `eacute`; null for a name that there is not. */
export type NamedCharacter = (name: string) => string | null

/** The browser knows the names. Nothing but letters and digits reaches it. */
let namedCharacter: NamedCharacter = name => {
  const holder = document.createElement('textarea')
  holder.innerHTML = `&${name};`
  return holder.value === `&${name};` ? null : holder.value
}

/** Outside of a browser somebody else must know them. */
export const readNamesWith = (known: NamedCharacter): void => {
  namedCharacter = known
}

export interface Character {
  readonly text: string
  readonly length: number
}

/** The character that is written by its name or number at a place; null where none is. */
export const entityAt = (text: string, at: number): Character | null => {
  ENTITY.lastIndex = at
  const [whole, hexadecimal, decimal, name = ''] = ENTITY.exec(text) ?? []
  if (whole === undefined) return null
  const digits = hexadecimal ?? decimal
  if (digits === undefined) {
    const known = namedCharacter(name)
    return known === null ? null : { text: known, length: whole.length }
  }
  const code = Number.parseInt(digits, hexadecimal === undefined ? 10 : 16)
  const isCharacter = code > 0 && code <= MAX_CODE_POINT && !(code >= 0xd8_00 && code <= 0xdf_ff)
  return { text: isCharacter ? String.fromCodePoint(code) : NO_CHARACTER, length: whole.length }
}

/** A text with what is written by names, numbers and backslashes read. */
export const unescaped = (text: string): string => {
  if (!/[\\&]/.test(text)) return text
  let plain = ''
  for (let at = 0; at < text.length; ) {
    const entity = text[at] === '&' ? entityAt(text, at) : null
    const isEscaped = text[at] === '\\' && isPunctuation(text[at + 1])
    plain += entity?.text ?? text[isEscaped ? at + 1 : at] ?? ''
    at += entity?.length ?? (isEscaped ? 2 : 1)
  }
  return plain
}
