import { AssayError } from '../../infra/runtime/errors.ts'
import { exceededLimit, type JsonLimits } from '../../schemas/http/json-limits.ts'
import type { BodyLimits } from '../operations/parts/body-limits.ts'

interface JsonBody {
  readonly bytes: Uint8Array
  readonly limits: BodyLimits
}

/**
 * A body as JSON, undefined when it is empty. Values and levels are counted before parsing. Throws `invalid_input` for
 * invalid UTF-8 or JSON, and `too_large` for too many values or levels.
 */
export const readJson = ({ bytes, limits }: JsonBody): unknown => {
  const text = decoded(bytes)
  if (text === '') return undefined
  const exceeded = exceededLimit(text, limits)
  if (exceeded !== null) throw tooMuch(exceeded, limits)
  try {
    return JSON.parse(text)
  } catch {
    throw new AssayError('invalid_input', 'The body is not JSON.')
  }
}

const tooMuch = (exceeded: keyof JsonLimits, { values, depth }: BodyLimits): AssayError =>
  exceeded === 'values'
    ? new AssayError('too_large', `The body holds too much: at most ${values} members and elements in all.`, {
        context: { exceeded },
      })
    : new AssayError('too_large', `The body nests too deep: at most ${depth} objects and arrays in each other.`, {
        context: { exceeded },
      })

const decoded = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new AssayError('invalid_input', 'The body is not UTF-8.')
  }
}

/** A parsed body as an object; null for any other value. */
export const objectIn = (value: unknown): Readonly<Record<string, unknown>> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? // An object has string keys, whatever its values are.
      (value as Readonly<Record<string, unknown>>)
    : null
