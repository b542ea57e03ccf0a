import type { Violation } from '../../infra/runtime/errors.ts'
import type { ConnectionMapping } from '../../schemas/http/connection.ts'
import { type SignalBody, signalBody } from '../../schemas/http/signal.ts'
import { errorsIn, violationsOf } from '../../schemas/http/violations.ts'
import { valueAt } from './pointer.ts'

/** A value that was found, or why there is none: where in the sender's body, and what is allowed there. */
export type Found<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly violations: readonly Violation[] }

/**
 * The signal body that a connection's mapping finds in what it sent; the pointers under which there is none of it. Only the text has to be
 * there: senders leave out what they do not have, or write null.
 */
export const mappedSignal = (document: unknown, mapping: ConnectionMapping): Found<SignalBody> => {
  const body: Record<string, unknown> = {}
  for (const [field, pointer] of Object.entries(mapping)) {
    const value = valueAt(document, pointer)
    if (value !== undefined && (value !== null || field === 'text')) body[field] = value
  }
  if (signalBody.Check(body)) return { ok: true, value: body }
  const violations = violationsOf(errorsIn(signalBody, body)).map(({ pointer, message }) => ({
    pointer: pointerOf(mapping, pointer),
    message: `${message}: the connection maps "${fieldOf(pointer)}" to it`,
  }))
  return { ok: false, violations }
}

const fieldOf = (pointer: string): string => pointer.split('/')[1] ?? ''

/** Where in the sender's body a violation of the signal body is. */
const pointerOf = (mapping: ConnectionMapping, pointer: string): string => {
  const field = fieldOf(pointer)
  const mapped = Object.entries(mapping).find(([name]) => name === field)?.[1] ?? ''
  return mapped + pointer.slice(field.length + 1)
}
