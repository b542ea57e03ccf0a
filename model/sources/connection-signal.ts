import type { Violation } from '../../infra/runtime/errors.ts'
import { anyObject, ConnectionBody, type ConnectionMapping, connectionBody } from '../../schemas/http/connection.ts'
import { withoutNulls } from '../../schemas/http/json-values.ts'
import { knownFields, type SignalBody, signalBody } from '../../schemas/http/signal.ts'
import { parseInstant, timeViolation } from '../../schemas/http/time.ts'
import { errorsIn, violationsOf } from '../../schemas/http/violations.ts'

interface Connection {
  readonly name: string
  readonly mapping: ConnectionMapping | undefined
  /** The sender's signing time, milliseconds since the epoch: the signal's time when the body has none. */
  readonly sentAt: number
  /** Receipt of the request, milliseconds since the epoch. Limits the times that are accepted. */
  readonly receivedAt: number
}

/**
 * The signal of a connection's request, by its mapping, else from the `data` of the documented body. Its event comes
 * from the mapping, else from the body's `type`; its time from the signal, else from the body's `timestamp`, else from
 * the signature.
 */
export const connectionSignal = (
  body: unknown,
  { name, mapping, sentAt, receivedAt }: Connection,
): Found<SignalBody> => {
  const found = mapping ? mappedSignal(body, mapping) : documentedSignal(body)
  const { type, timestamp } = ownFields(body)
  const saidAt = mapping ? mapping.occurred_at : '/data/occurred_at'
  const said = saidAt === undefined ? undefined : timeAt(body, saidAt)
  // In a sender's own format a field named timestamp may be anything.
  const dated = mapping && !isInstant(timestamp, receivedAt) ? undefined : timestamp
  const times = [
    mapping ? null : timeViolation('/timestamp', timestamp, receivedAt),
    timeViolation(saidAt ?? '', said, receivedAt),
  ]
  const violations: readonly Violation[] = [
    ...(found.ok ? [] : found.violations),
    ...times.flatMap(wrong => wrong ?? []),
  ]
  if (!found.ok || violations.length > 0) return { ok: false, violations }
  const event = mapping?.event === undefined ? (type ?? found.value.event) : found.value.event
  const occurred_at = said ?? dated ?? new Date(sentAt).toISOString()
  return {
    ok: true,
    value: knownFields({ source: name, ...found.value, occurred_at, ...(event === undefined ? {} : { event }) }),
  }
}

const documentedSignal = (sent: unknown): Found<SignalBody> => {
  const body = withoutNulls(ConnectionBody, sent)
  if (connectionBody.Check(body)) return { ok: true, value: body.data }
  const violations = violationsOf(errorsIn(connectionBody, body)).map(({ pointer, message }) => ({
    pointer,
    message: WITHOUT_TEXT.has(pointer) ? `${message}: ${SET_A_MAPPING}` : message,
  }))
  return { ok: false, violations }
}

const WITHOUT_TEXT: ReadonlySet<string> = new Set(['/data', '/data/text'])
const SET_A_MAPPING =
  'a signal body ({"text": …}). For a body of another shape the connection’s settings.mapping says where the text is'

/** Documented fields that a sender's own format may also have. */
const ownFields = (body: unknown): { readonly type?: string; readonly timestamp?: string | number } => {
  if (!anyObject.Check(body)) return {}
  // Any object has string keys.
  const { type, timestamp } = body as Readonly<Record<string, unknown>>
  return {
    ...(typeof type === 'string' && type.trim() !== '' ? { type } : {}),
    ...(typeof timestamp === 'string' || typeof timestamp === 'number' ? { timestamp } : {}),
  }
}

/** The schema reports a value whose type is no time. */
const timeAt = (body: unknown, pointer: string): string | number | undefined => {
  const value = valueAt(body, pointer)
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

const isInstant = (time: string | number | undefined, now: number): boolean =>
  time !== undefined && parseInstant(time, now).ok

/** The value at a JSON pointer (RFC 6901), or undefined. Follows own members alone, not inherited ones. */
export const valueAt = (document: unknown, pointer: string): unknown => {
  let value = document
  for (const token of pointer.split('/').slice(1)) {
    if (typeof value !== 'object' || value === null) return undefined
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (!Object.hasOwn(value, name) || (Array.isArray(value) && !INDEX.test(name))) return undefined
    // An object or array has string keys, whatever its values are.
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}

const INDEX = /^(0|[1-9]\d*)$/

/** A found value, or the reason why there is none, with its place in the sender's body and the allowed values. */
export type Found<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly violations: readonly Violation[] }

/** The signal body by a connection's mapping. Only the text is required: senders omit or null missing fields. */
const mappedSignal = (document: unknown, mapping: ConnectionMapping): Found<SignalBody> => {
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

/** Place in the sender's body of an error in the signal body. */
const pointerOf = (mapping: ConnectionMapping, pointer: string): string => {
  const field = fieldOf(pointer)
  const mapped = Object.entries(mapping).find(([name]) => name === field)?.[1] ?? ''
  return mapped + pointer.slice(field.length + 1)
}
