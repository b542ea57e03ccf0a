import { BACKSLASH, CLOSE_ARRAY, CLOSE_OBJECT, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './json-signs.ts'

/** Limits of a JSON text's content: parsing and checking take time by the number of values, not by the length. */
export interface JsonLimits {
  /** Members and elements of all objects and arrays together. */
  readonly values: number
  /** Levels of nested objects and arrays. */
  readonly depth: number
}

/**
 * The limit that a JSON text exceeds; null when it exceeds none. Found before parsing from the characters between
 * values, in linear time, ending at the limit. Invalid JSON is counted too.
 */
export const exceededLimit = (json: string, { values, depth }: JsonLimits): keyof JsonLimits | null => {
  let valuesLeft = values
  let level = 0
  for (let at = 0; at < json.length; at += 1) {
    const unit = json.charCodeAt(at)
    if (unit === QUOTE) at = closingQuote(json, at)
    else if (unit === COMMA) valuesLeft -= 1
    else if (unit === OPEN_ARRAY || unit === OPEN_OBJECT) {
      valuesLeft -= 1
      level += 1
      if (level > depth) return 'depth'
    } else if (unit === CLOSE_ARRAY || unit === CLOSE_OBJECT) level -= 1
    if (valuesLeft < 0) return 'values'
  }
  return null
}

/** The index of a string's closing quote. A long string is searched in strides, each with one native search. */
const closingQuote = (json: string, opening: number): number => {
  let at = opening + 1
  while (at < json.length) {
    for (const stride = at + STRIDE; at < stride; at += 1) {
      const unit = json.charCodeAt(at)
      if (unit === QUOTE) return at
      if (unit === BACKSLASH) at += 1
    }
    const quote = json.indexOf('"', at)
    if (quote === -1) break
    let unescaped = quote
    while (unescaped > at && json.charCodeAt(unescaped - 1) === BACKSLASH) unescaped -= 1
    if ((quote - unescaped) % 2 === 0) return quote
    at = quote + 1
  }
  return json.length
}

const STRIDE = 64
