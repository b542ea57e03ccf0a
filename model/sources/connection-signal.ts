import type { Violation } from '../../infra/runtime/errors.ts'
import type { ConnectionMapping } from '../../schemas/http/connection.ts'
import { knownFields, type SignalBody } from '../../schemas/http/signal.ts'
import { parseInstant } from '../../schemas/http/time.ts'
import { type Found, mappedSignal } from './mapped-signal.ts'

/** The body of a connection's request, of the shape that `schemas/http/connection.ts` checks: without a mapping, `data` is a signal body. */
interface ConnectionEvent {
  readonly type: string
  readonly timestamp: string | number
  readonly data: unknown
}

interface Connection {
  readonly name: string
  readonly mapping: ConnectionMapping | undefined
  /** When the request came, milliseconds since the epoch: bounds the times that are believed. */
  readonly receivedAt: number
}

/** The signal of an event: its own time is the event's unless the signal says one, its `event` is the type. */
export const connectionSignal = (
  event: ConnectionEvent,
  { name, mapping, receivedAt }: Connection,
): Found<SignalBody> => {
  const found: Found<SignalBody> = mapping
    ? mappedSignal(event, mapping)
    : // Without a mapping the schema that was checked has a signal body there.
      { ok: true, value: event.data as SignalBody }
  if (!found.ok) return found
  const { type, timestamp } = event
  const { occurred_at: occurredAt } = found.value
  const violations: readonly Violation[] = [
    ...mistaken('/timestamp', timestamp, receivedAt),
    ...mistaken(mapping?.occurred_at ?? '/data/occurred_at', occurredAt, receivedAt),
  ]
  if (violations.length > 0) return { ok: false, violations }
  return { ok: true, value: knownFields({ source: name, occurred_at: timestamp, ...found.value, event: type }) }
}

const mistaken = (pointer: string, time: string | number | undefined, now: number): Violation[] => {
  if (time === undefined) return []
  const instant = parseInstant(time, now)
  return instant.ok ? [] : [{ pointer, message: instant.message }]
}
