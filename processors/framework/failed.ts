import type { OutgoingRecord, StoredRecord } from '../../infra/log/port.ts'
import type { Fault } from '../../schemas/domain/vocabulary.ts'
import { DEAD_LETTERS_TOPIC, HEADERS, retryTopic } from '../../schemas/events/topics.ts'
import { deliveryOf, forwardedHeaders } from './delivery.ts'
import type { RetryDelay } from './retry-delays.ts'

export interface FailureNote {
  readonly step: string
  readonly errorClass: string
  readonly message: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

const MAX_MESSAGE = 1000

/** Fit for a header and for a text column: no control characters, no half of a surrogate pair, not too long. */
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

/** The record as it was at its segment's head, to come back there after the delay as the next attempt. */
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

/** The record as it was at its segment's head, for good. `key` is the signal's id wherever that is known. */
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
