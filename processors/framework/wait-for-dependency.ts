import { SchemaUnknown } from '../../infra/log/codec.ts'
import type { Batch, BatchContext, Continuation } from '../../infra/log/port.ts'
import { AssayError, isAssayError } from '../../infra/runtime/errors.ts'
import type { Breaker } from './breaker.ts'
import type { Observer } from './observer.ts'
import { classifyThrown, framesOf } from './thrown.ts'

/** What a consumer does with a batch. */
export type Handler = (batch: Batch, context: BatchContext) => Promise<Continuation>

/**
 * A handler that waits while a dependency is away: the partition stands still, nothing is committed, and the same batch comes again
 * after a pause that grows. Other errors are left to the log, which delivers the batch again too.
 */
export const waitForDependency =
  (group: string, breaker: Breaker, observer: Observer, handle: Handler): Handler =>
  async (batch, context) => {
    const next = batch.records[0]?.offset ?? 0
    const wait = (pauseMs: number): Continuation => {
      breaker.addWaiting(context.signal)
      return { next, pauseMs }
    }
    const waitMs = breaker.waitMs()
    if (waitMs > 0) return wait(waitMs)
    try {
      const continuation = await handle(batch, context)
      // A batch that stays where it is, because it is not due or another lane has its turn, says nothing of any dependency.
      if (continuation.next > next) breaker.succeed()
      return continuation
    } catch (error) {
      // Another member of the group has the partition and does the same work again.
      if (isAssayError(error) && error.code === 'partition_lost') return { next }
      // Nor does it wait for what others may have learnt: it leaves the group to them.
      if (error instanceof SchemaUnknown) throw error
      const { kind, errorClass, message, retryAfterMs } = classifyThrown(error)
      if (kind === 'data') {
        observer.note('A batch failed', { group, errorClass, frames: framesOf(error) })
        // Without its cause: the log writes down what is thrown here, and the cause may quote a record.
        throw new AssayError('internal', message)
      }
      const pauseMs = breaker.fail(message, retryAfterMs)
      observer.pause(group, pauseMs)
      observer.note('Waiting for a dependency', { group, errorClass, message, pauseMs })
      return wait(pauseMs)
    }
  }

/** The offset at which a batch begins. */
export const firstOffset = (batch: Batch): number => {
  const [first] = batch.records
  if (first === undefined) throw new TypeError('The log delivered an empty batch.')
  return first.offset
}

/** The offset after a batch's last record. */
export const nextOffset = (batch: Batch): number => {
  const last = batch.records.at(-1)
  if (last === undefined) throw new TypeError('The log delivered an empty batch.')
  return last.offset + 1
}
