import type { TLocalizedValidationError } from 'typebox/error'
import { violationsOf } from '../../schemas/http/violations.ts'
import { type Refusal, refusal } from '../refusal.ts'

/** A compiled TypeBox schema. */
interface Validator<T> {
  Check(value: unknown): value is T
  Errors(value: unknown): TLocalizedValidationError[]
}

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
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // V8's message quotes the text, which may hold personal data.
    return refusal(400, 'invalid_json', 'The body is not valid JSON.')
  }
  if (validator.Check(value)) return { kind: 'parsed', value }
  return invalidBody(violationsOf(validator.Errors(value)))
}

/** A body as JSON of the schema's shape. */
export const readJson = <T>(bytes: Uint8Array, validator: Validator<T>): Parsed<T> => {
  const text = decodeText(bytes)
  return text.kind === 'refusal' ? text : parseJson(text.value, validator)
}

export const invalidBody = (violations: Refusal['violations']): Refusal =>
  refusal(422, 'invalid_body', 'The body is JSON, but not of the documented shape; see the violations.', { violations })
