import type { Violation } from '../../infra/runtime/errors.ts'
import { anyObject, ConnectionBody, type ConnectionMapping, connectionBody } from '../../schemas/http/connection.ts'
import { withoutNulls } from '../../schemas/http/json-values.ts'
import { knownFields, type SignalBody, signalBody } from '../../schemas/http/signal.ts'
import { parseInstant, timeViolation } from '../../schemas/http/time.ts'
import { errorsIn, violationsOf } from '../../schemas/http/violations.ts'

interface Connection {
  readonly name: string
  readonly mapping: ConnectionMapping | undefined
  /** When the sender signed it, milliseconds since the epoch: the signal's time where the body says none. */
  readonly sentAt: number
  /** When the request came, milliseconds since the epoch: bounds the times that are believed. */
  readonly receivedAt: number
}

/**
 * The signal that a connection's request is, after its mapping, or else as the `data` of the documented body. Its event
 * is what the mapping leads to, or else the body's own `type`; its time what the signal says, or else the body's own
 * `timestamp`, or else when it was sent.
 */
export const connectionSignal = (
  body: unknown,
  { name, mapping, sentAt, receivedAt }: Connection,
): Found<SignalBody> => {
  const found = mapping ? mappedSignal(body, mapping) : documentedSignal(body)
  const { type, timestamp } = ownFields(body)
  const saidAt = mapping ? mapping.occurred_at : '/data/occurred_at'
  const said = saidAt === undefined ? undefined : timeAt(body, saidAt)
  // In a shape of the sender's own, a field that happens to be called timestamp may be anything.
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

/** What a body of the sender's own shape may have of the documented one. */
const ownFields = (body: unknown): { readonly type?: string; readonly timestamp?: string | number } => {
  if (!anyObject.Check(body)) return {}
  // Any object has string keys.
  const { type, timestamp } = body as Readonly<Record<string, unknown>>
  return {
    ...(typeof type === 'string' && type.trim() !== '' ? { type } : {}),
    ...(typeof timestamp === 'string' || typeof timestamp === 'number' ? { timestamp } : {}),
  }
}

/** Of another type than a time has, the schema tells. */
const timeAt = (body: unknown, pointer: string): string | number | undefined => {
  const value = valueAt(body, pointer)
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

const isInstant = (time: string | number | undefined, now: number): boolean =>
  time !== undefined && parseInstant(time, now).ok

/**
 * The value at a JSON pointer (RFC 6901), or undefined. Follows a document's own members alone, never what JavaScript
 * objects inherit.
 */
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

/** A value that was found, or why there is none: where in the sender's body, and what is allowed there. */
export type Found<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly violations: readonly Violation[] }

/**
 * The signal body that a connection's mapping finds in what it sent; the pointers under which there is none of it. Only
 * the text has to be there: senders leave out what they do not have, or write null.
 */
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

/** Where in the sender's body a violation of the signal body is. */
const pointerOf = (mapping: ConnectionMapping, pointer: string): string => {
  const field = fieldOf(pointer)
  const mapped = Object.entries(mapping).find(([name]) => name === field)?.[1] ?? ''
  return mapped + pointer.slice(field.length + 1)
}
