import type {
  Batch,
  BatchContext,
  Consumer,
  Continuation,
  Log,
  OutgoingRecord,
  StoredRecord,
} from '../../infra/log/port.ts'
import { HEADERS, retryTopic } from '../../schemas/events/topics.ts'
import { deadLetterRecord, deliveryOf, forwardedHeaders, integerHeader } from './outputs.ts'
import type { Observer } from './step.ts'
import type { RetryDelay } from './topics.ts'
import { type Breaker, waitForDependency } from './wait-for-dependency.ts'

export interface TopicMoverOptions {
  readonly log: Log
  readonly delay: RetryDelay
  readonly breaker: Breaker
  readonly observer: Observer
  readonly now: () => number
}

export const topicMoverGroup = (delay: RetryDelay): string => `assay.retry.${delay.name}`

const MAX_RECORDS = 500

/**
 * Serves one delay queue: returns each record to its topic when the record is due. All records of a queue wait equally
 * long, so the first is due first, and the partition sleeps until then.
 */
export const hostTopicMover = (options: TopicMoverOptions): Promise<Consumer> => {
  const { log, delay, breaker, observer } = options
  const group = topicMoverGroup(delay)
  return log.consume({
    group,
    topics: [retryTopic(delay.name)],
    maxRecords: MAX_RECORDS,
    onBatch: waitForDependency(group, breaker, observer, (batch, context) => onBatch(options, batch, context)),
  })
}

const dueAt = ({ headers }: StoredRecord): number => integerHeader(headers, HEADERS.dueAt, 0)

const onBatch = async ({ log, now }: TopicMoverOptions, batch: Batch, context: BatchContext): Promise<Continuation> => {
  const waiting = batch.records.findIndex(record => dueAt(record) > now())
  const due = waiting === -1 ? batch.records : batch.records.slice(0, waiting)
  const firstWaiting = batch.records[due.length]
  const lastDue = due.at(-1)

  if (lastDue !== undefined) {
    await log.append(due.map(record => returned(record, now())))
    await context.commit(lastDue.offset + 1)
  }
  if (firstWaiting !== undefined) {
    return { next: firstWaiting.offset, pauseMs: Math.max(1, dueAt(firstWaiting) - now()) }
  }
  return { next: (lastDue?.offset ?? 0) + 1 }
}

/** The record for its own topic. A record without a return topic becomes a dead letter, so that it is not lost. */
const returned = (record: StoredRecord, at: number): OutgoingRecord => {
  const { headers, key, value } = record
  const returnTo = headers[HEADERS.returnTo]
  if (returnTo === undefined) {
    const failure = {
      step: headers[HEADERS.step] ?? '',
      errorClass: 'invalid_retry',
      message: 'It has no topic to return to.',
      at,
    }
    return deadLetterRecord(record, key, failure, 'ours', true)
  }
  const delivery = deliveryOf(record)
  return {
    topic: returnTo,
    key,
    value,
    headers: {
      ...forwardedHeaders(delivery),
      [HEADERS.attempt]: String(delivery.attempt),
      ...(delivery.firstFailedAt === null ? {} : { [HEADERS.firstFailedAt]: String(delivery.firstFailedAt) }),
    },
  }
}
