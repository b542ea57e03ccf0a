import type { Violation } from '../../infra/runtime/errors.ts'
import { withoutNulls } from '../../schemas/http/absent.ts'
import { anyObject, ConnectionBody, type ConnectionMapping, connectionBody } from '../../schemas/http/connection.ts'
import { knownFields, type SignalBody } from '../../schemas/http/signal.ts'
import { parseInstant } from '../../schemas/http/time.ts'
import { errorsIn, violationsOf } from '../../schemas/http/violations.ts'
import { type Found, mappedSignal } from './mapped-signal.ts'

interface Connection {
  readonly name: string
  readonly mapping: ConnectionMapping | undefined
  /** When the sender signed it, milliseconds since the epoch: the signal's time where the body says none. */
  readonly sentAt: number
  /** When the request came, milliseconds since the epoch: bounds the times that are believed. */
  readonly receivedAt: number
}

/**
 * The signal that a connection's request is, after its mapping, or else as the `data` of the documented body. Its event is what the mapping leads
 * to, or else the body's own `type`; its time what the signal says, or else the body's own `timestamp`, or else when it was sent.
 */
export const connectionSignal = (
  body: unknown,
  { name, mapping, sentAt, receivedAt }: Connection,
): Found<SignalBody> => {
  const found = mapping ? mappedSignal(body, mapping) : documentedSignal(body)
  if (!found.ok) return found
  const { type, timestamp } = ownFields(body)
  const said = found.value.occurred_at
  // In a shape of the sender's own, a field that happens to be called timestamp may be anything.
  const dated = mapping && !isInstant(timestamp, receivedAt) ? undefined : timestamp
  const violations: readonly Violation[] = [
    ...(mapping ? [] : mistaken('/timestamp', timestamp, receivedAt)),
    ...mistaken(mapping?.occurred_at ?? '/data/occurred_at', said, receivedAt),
  ]
  if (violations.length > 0) return { ok: false, violations }
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

const isInstant = (time: string | number | undefined, now: number): boolean =>
  time !== undefined && parseInstant(time, now).ok

const mistaken = (pointer: string, time: string | number | undefined, now: number): Violation[] => {
  if (time === undefined) return []
  const instant = parseInstant(time, now)
  return instant.ok ? [] : [{ pointer, message: instant.message }]
}
