import { isAscii, isUtf8, transcode } from 'node:buffer'
import { withoutNulls } from '../../schemas/http/json-values.ts'
import { wrongTime } from '../../schemas/http/time.ts'
import { errorsIn, type Validator, violationsOf } from '../../schemas/http/violations.ts'
import { type Refusal, refusal } from '../answer.ts'

export type Parsed<T> = { readonly kind: 'parsed'; readonly value: T } | Refusal

/**
 * Bytes as UTF-8 text; a byte order mark at the beginning is dropped. Converted with vector instructions: 25 MiB that
 * are not ASCII take V8's own decoder 100 ms, and this 7.
 */
export const decodeText = (bytes: Buffer): Parsed<string> => {
  if (isAscii(bytes)) return { kind: 'parsed', value: bytes.toString('latin1') }
  if (!isUtf8(bytes)) return refusal(400, 'invalid_encoding', 'The body is not valid UTF-8.')
  const units = transcode(bytes, 'utf8', 'utf16le')
  const start = units.readUInt16LE() === BYTE_ORDER_MARK ? 2 : 0
  return { kind: 'parsed', value: units.toString('utf16le', start) }
}

const BYTE_ORDER_MARK = 0xfeff

/** Which fields of a body say its time, the first that is there; `now` is when it came, in epoch milliseconds. */
interface Dated {
  readonly times: readonly string[]
  readonly now: number
}

/**
 * Text as JSON of the schema's shape, an optional field that is null being absent: `400` when it is no JSON, `422` with
 * every violation when it has another shape, or a time that is none.
 */
export const parseJson = <T>(text: string, validator: Validator<T>, dated?: Dated): Parsed<T> => {
  if (text.length > MANY_CHARACTERS && countValues(text) > MAX_VALUES) return invalidBody([TOO_MANY_VALUES])
  let value: unknown
  try {
    value = withoutNulls(validator.Type(), JSON.parse(text))
  } catch {
    // V8's message quotes the text, which may hold personal data.
    return refusal(400, 'invalid_json', 'The body is not valid JSON.')
  }
  const wrong = dated ? wrongTime(value, dated.times, dated.now) : null
  const times = wrong === null ? [] : [wrong]
  if (!validator.Check(value)) return invalidBody([...violationsOf(errorsIn(validator, value)), ...times])
  return wrong === null ? { kind: 'parsed', value } : invalidBody(times)
}

/**
 * Parsing takes time by the values rather than the length: a code host's 25 MiB are mostly texts and names of files.
 */
const MANY_CHARACTERS = 1024 * 1024
const MAX_VALUES = 250_000
const TOO_MANY_VALUES = { pointer: '', message: `must have at most ${MAX_VALUES} values in all` } as const

/**
 * How many values a JSON text has at least, counted by what stands between and around them, until there are too many.
 */
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

/** Where a string's text ends. A long one is gone through in strides, each at the cost of one native search. */
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

/** A body as JSON of the schema's shape. */
export const readJson = <T>(bytes: Buffer, validator: Validator<T>, dated?: Dated): Parsed<T> => {
  const text = decodeText(bytes)
  return text.kind === 'refusal' ? text : parseJson(text.value, validator, dated)
}

export const invalidBody = (violations: Refusal['violations']): Refusal =>
  refusal(422, 'invalid_body', 'The body is JSON, but not of the documented shape; see the violations.', { violations })
