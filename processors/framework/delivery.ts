import type { StoredRecord } from '../../infra/log/port.ts'
import { parseTraceparent } from '../../infra/runtime/traces.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import { HEADERS } from '../../schemas/events/topics.ts'

/** What a record's headers say about how it came here. */
interface Delivery {
  /** 1 the first time; each retry adds one. */
  readonly attempt: number
  /** How often the signal was replayed, 0 before the first time. */
  readonly replay: number
  readonly traceparent: string | null
  /** The trace id of `traceparent`, empty without one. */
  readonly traceId: string
  /** When an earlier attempt failed first, milliseconds since the epoch; null when none did. */
  readonly firstFailedAt: number | null
}

/** A header that counts. One that is absent or unreadable is `otherwise`. */
export const integerHeader = <Otherwise>(
  headers: Readonly<Record<string, string>>,
  name: string,
  otherwise: Otherwise,
): number | Otherwise => {
  const text = headers[name]
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : otherwise
}

export const deliveryOf = ({ headers }: Pick<StoredRecord, 'headers'>): Delivery => ({
  attempt: integerHeader(headers, HEADERS.attempt, 1),
  replay: integerHeader(headers, HEADERS.replay, 0),
  traceparent: headers[HEADERS.traceparent] ?? null,
  traceId: parseTraceparent(headers[HEADERS.traceparent])?.traceId ?? '',
  firstFailedAt: integerHeader(headers, HEADERS.firstFailedAt, null),
})

/** The headers that stay with a signal wherever it goes. */
export const forwardedHeaders = (delivery: Delivery): Record<string, string> => ({
  ...(delivery.traceparent === null ? {} : { [HEADERS.traceparent]: delivery.traceparent }),
  ...(delivery.replay === 0 ? {} : { [HEADERS.replay]: String(delivery.replay) }),
})

/** A signal on its way through a segment: the record as the log has it, and as the steps so far have made it. */
export interface BatchItem {
  readonly stored: StoredRecord
  readonly delivery: Delivery
  readonly signal: SignalRecord
}
