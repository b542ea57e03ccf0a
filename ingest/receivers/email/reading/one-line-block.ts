import { LABEL_WORDS, type LabelName, namesMail } from './header-block.ts'
import type { LabelledLines } from './notes-block.ts'

/** Longer words first, so that a word is not taken for the beginning of another. */
const WORDS = [...LABEL_WORDS.keys()]
  .map(word => word.charAt(0).toUpperCase() + word.slice(1))
  .sort((one, other) => other.length - one.length)
const LABEL = new RegExp(
  `(?<![\\p{L}-])(?:${WORDS.join('|')})(?=\\s?[:：]\\s)|(?<=[\\p{Ll}\\d>;)])(?:${WORDS.join('|')})(?=\\s?[:：]\\s)`,
  'gu',
)
const MAX_LENGTH = 4_000

/** A line that announces a forward with its headers behind the rule, as Yahoo writes. */
const ANNOUNCED = /^(?<rule>\s{0,9}-{3,20}\s[^-]{3,80}\s-{3,20})\s{1,9}(?<headers>\S.*)$/u

/** Splits such a line into its rule and its headers; null for other lines. */
export const partAnnounced = (line: string): { readonly rule: string; readonly headers: string } | null => {
  const { rule, headers } = ANNOUNCED.exec(line.slice(0, MAX_LENGTH))?.groups ?? {}
  return rule === undefined || headers === undefined ? null : { rule, headers }
}

/** The headers of a block on one line, whose labels may be glued to the text before them. */
export const readOneLineBlock = (headers: string): LabelledLines['values'] | null => {
  const found = [...headers.matchAll(LABEL)]
  const values: Partial<Record<LabelName, string>> = {}
  for (const [at, label] of found.entries()) {
    const name = LABEL_WORDS.get(label[0].toLowerCase())
    const value = headers.slice(label.index + label[0].length, found[at + 1]?.index).replace(/^\s?[:：]/, '')
    if (name !== undefined) values[name] ??= value.trim()
  }
  return found[0]?.index === 0 && namesMail(values) ? values : null
}
