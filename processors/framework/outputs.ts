import type { Codec } from '../../infra/log/codec.ts'
import type { OutgoingRecord, StoredRecord } from '../../infra/log/port.ts'
import { parseTraceparent } from '../../infra/runtime/traces.ts'
import type { Fault } from '../../schemas/domain/vocabulary.ts'
import type { ActivityRecord } from '../../schemas/events/activity.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import { ACTIVITY_TOPIC, DEAD_LETTERS_TOPIC, HEADERS, retryTopic } from '../../schemas/events/topics.ts'
import type { RetryDelay } from './topics.ts'

/** Delivery facts in a record's headers. */
interface Delivery {
  /** 1 the first time; each retry adds 1. */
  readonly attempt: number
  /** Number of replays of the signal, from 0. */
  readonly replay: number
  readonly traceparent: string | null
  /** The trace id of `traceparent`, empty without one. */
  readonly traceId: string
  /** Time of the first failure, milliseconds since the epoch; null without one. */
  readonly firstFailedAt: number | null
}

/** A header with an integer; `otherwise` when the header is absent or unreadable. */
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

/** Headers that a signal keeps on its whole way. */
export const forwardedHeaders = (delivery: Delivery): Record<string, string> => ({
  ...(delivery.traceparent === null ? {} : { [HEADERS.traceparent]: delivery.traceparent }),
  ...(delivery.replay === 0 ? {} : { [HEADERS.replay]: String(delivery.replay) }),
})

/** A signal in a segment: the record on the log, and the signal as the steps so far have left it. */
export interface BatchItem {
  /** Position in the batch, from 0. */
  readonly place: number
  readonly stored: StoredRecord
  readonly delivery: Delivery
  readonly signal: SignalRecord
}

export interface FailureNote {
  readonly step: string
  readonly errorClass: string
  readonly message: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

const MAX_MESSAGE = 1000

/**
 * Makes a message fit for a header and a text column: no control characters, no half of a surrogate pair, cut to
 * length.
 */
const plain = (message: string): string =>
  message
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_MESSAGE)
    .toWellFormed()

const failureHeaders = (stored: StoredRecord, failure: FailureNote): Record<string, string> => {
  const delivery = deliveryOf(stored)
  return {
    ...forwardedHeaders(delivery),
    [HEADERS.returnTo]: stored.topic,
    [HEADERS.step]: failure.step,
    [HEADERS.errorClass]: failure.errorClass,
    [HEADERS.errorMessage]: plain(failure.message),
    [HEADERS.firstFailedAt]: String(delivery.firstFailedAt ?? failure.at),
    [HEADERS.lastFailedAt]: String(failure.at),
  }
}

/** The record as its segment's head read it. It returns there after the delay, as the next attempt. */
export const retryRecord = (stored: StoredRecord, failure: FailureNote, delay: RetryDelay): OutgoingRecord => ({
  topic: retryTopic(delay.name),
  key: stored.key,
  value: stored.value,
  headers: {
    ...failureHeaders(stored, failure),
    [HEADERS.attempt]: String(deliveryOf(stored).attempt + 1),
    [HEADERS.dueAt]: String(failure.at + delay.ms),
  },
})

/** The record as its segment's head read it. `key` is the signal's id where the id is known. */
export const deadLetterRecord = (
  stored: StoredRecord,
  key: string | null,
  failure: FailureNote,
  fault: Fault,
  personal: boolean,
): OutgoingRecord => ({
  topic: DEAD_LETTERS_TOPIC,
  key,
  value: stored.value,
  headers: {
    ...failureHeaders(stored, failure),
    [HEADERS.attempt]: String(deliveryOf(stored).attempt),
    [HEADERS.fault]: fault,
    [HEADERS.personal]: String(personal),
  },
})

/** Everything that a batch appends, by the record that caused it, so that a batch can be cut. */
export interface Outputs {
  /** `place` is the record's position in the batch. */
  move(place: number, record: OutgoingRecord): void
  record(place: number, event: ActivityRecord): void
  /** Outputs of the first records: the moved records first, then the activity events. */
  ofFirst(records: number, codec: Codec<ActivityRecord>): Promise<readonly OutgoingRecord[]>
}

/** Gives all events of a signal the time that the last step knows: the first step has not read the time yet. */
const atTheirTime = (events: readonly ActivityRecord[]): readonly ActivityRecord[] => {
  const times = new Map<string, number>()
  for (const { subject_id, happened_at } of events) {
    times.set(subject_id, Math.min(happened_at, times.get(subject_id) ?? happened_at))
  }
  return events.map(event => ({ ...event, happened_at: times.get(event.subject_id) ?? event.happened_at }))
}

export const createOutputs = (): Outputs => {
  const moves: { readonly place: number; readonly record: OutgoingRecord }[] = []
  const events: { readonly place: number; readonly event: ActivityRecord }[] = []
  return {
    move: (place, record) => void moves.push({ place, record }),
    record: (place, event) => void events.push({ place, event }),
    async ofFirst(count, codec) {
      const records = moves.filter(({ place }) => place < count).map(({ record }) => record)
      const kept = events.filter(({ place }) => place < count).map(({ event }) => event)
      for (const event of atTheirTime(kept)) {
        records.push({ topic: ACTIVITY_TOPIC, key: event.subject_id, value: await codec.encode(event) })
      }
      return records
    },
  }
}
