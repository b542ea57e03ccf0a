import type { ConnectionMapping } from '../../../schemas/http/connection.ts'
import { type SignalBody, signalBody } from '../../../schemas/http/signal.ts'
import { violationsOf } from '../../../schemas/http/violations.ts'
import type { Refusal } from '../../refusal.ts'
import { invalidBody } from '../json.ts'
import { valueAt } from './pointer.ts'

type Mapped = { readonly kind: 'parsed'; readonly value: SignalBody } | Refusal

/** The signal body that a connection's mapping finds in what it sent; refused with the pointers under which there is none of it. */
export const mapSignal = (document: unknown, mapping: ConnectionMapping): Mapped => {
  const body: Record<string, unknown> = {}
  const missing: { pointer: string; message: string }[] = []
  for (const [field, pointer] of Object.entries(mapping)) {
    const value = valueAt(document, pointer)
    if (value === undefined) missing.push({ pointer, message: `is required: the connection maps "${field}" to it` })
    else body[field] = value
  }
  if (missing.length > 0) return invalidBody(missing)
  if (signalBody.Check(body)) return { kind: 'parsed', value: body }
  const violations = violationsOf(signalBody.Errors(body)).map(({ pointer, message }) => ({
    pointer: pointerOf(mapping, pointer),
    message: `${message}: the connection maps "${fieldOf(pointer)}" to it`,
  }))
  return invalidBody(violations)
}

const fieldOf = (pointer: string): string => pointer.split('/')[1] ?? ''

/** Where in the sender's body a violation of the signal body is. */
const pointerOf = (mapping: ConnectionMapping, pointer: string): string => {
  const field = fieldOf(pointer)
  const mapped = Object.entries(mapping).find(([name]) => name === field)?.[1] ?? ''
  return mapped + pointer.slice(field.length + 1)
}
