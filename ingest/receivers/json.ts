import { errorsIn, type Validator } from '../../schemas/http/bounded-errors.ts'
import { violationsOf } from '../../schemas/http/violations.ts'
import { type Refusal, refusal } from '../refusal.ts'

export type Parsed<T> = { readonly kind: 'parsed'; readonly value: T } | Refusal

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Bytes as UTF-8 text; a byte order mark at the beginning is dropped. */
export const decodeText = (bytes: Uint8Array): Parsed<string> => {
  try {
    return { kind: 'parsed', value: decoder.decode(bytes) }
  } catch {
    return refusal(400, 'invalid_encoding', 'The body is not valid UTF-8.')
  }
}

/** Text as JSON of the schema's shape: `400` when it is no JSON, `422` with every violation when it has another shape. */
export const parseJson = <T>(text: string, validator: Validator<T>): Parsed<T> => {
  if (text.length > MANY_CHARACTERS && countValues(text) > MAX_VALUES) return invalidBody([TOO_MANY_VALUES])
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // V8's message quotes the text, which may hold personal data.
    return refusal(400, 'invalid_json', 'The body is not valid JSON.')
  }
  if (validator.Check(value)) return { kind: 'parsed', value }
  return invalidBody(violationsOf(errorsIn(validator, value)))
}

/** Parsing takes time by the values rather than the length: a code host's 25 MiB are mostly texts and names of files. */
const MANY_CHARACTERS = 1024 * 1024
const MAX_VALUES = 250_000
const TOO_MANY_VALUES = { pointer: '', message: `must have at most ${MAX_VALUES} values in all` } as const

/** How many values a JSON text has at least, counted by what stands between and around them, until there are too many. */
const countValues = (json: string): number => {
  let values = 0
  for (let at = 0; at < json.length && values <= MAX_VALUES; at += 1) {
    const unit = json.charCodeAt(at)
    if (unit === QUOTE) at = closingQuote(json, at)
    else if (unit === COMMA || unit === OPEN_ARRAY || unit === OPEN_OBJECT) values += 1
  }
  return values
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_ARRAY = 0x5b
const OPEN_OBJECT = 0x7b

/**
 * Long texts are passed over by the engine's own search, which is many times faster than looking at each unit. A quote that may be escaped
 * has the rest of the text looked at unit by unit: texts made of escaped quotes would be searched a piece at a time.
 */
const closingQuote = (json: string, opening: number): number => {
  const next = json.indexOf('"', opening + 1)
  if (next === -1) return json.length
  if (json.charCodeAt(next - 1) !== BACKSLASH) return next
  for (let at = opening + 1; at < json.length; at += 1) {
    const unit = json.charCodeAt(at)
    if (unit === QUOTE) return at
    if (unit === BACKSLASH) at += 1
  }
  return json.length
}

/** A body as JSON of the schema's shape. */
export const readJson = <T>(bytes: Uint8Array, validator: Validator<T>): Parsed<T> => {
  const text = decodeText(bytes)
  return text.kind === 'refusal' ? text : parseJson(text.value, validator)
}

export const invalidBody = (violations: Refusal['violations']): Refusal =>
  refusal(422, 'invalid_body', 'The body is JSON, but not of the documented shape; see the violations.', { violations })
