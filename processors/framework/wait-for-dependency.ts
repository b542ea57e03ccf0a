import { SchemaUnknown } from '../../infra/log/codec.ts'
import type { Batch, BatchContext, Continuation } from '../../infra/log/port.ts'
import { AssayError, isAssayError } from '../../infra/runtime/errors.ts'
import type { Observer } from './step.ts'
import { classifyThrown, framesOf } from './thrown.ts'

/** Opens when a dependency is away, and closes after a success. Each failure doubles its pause. */
export interface Breaker {
  /** Wait before the next try, ms; 0 while the breaker is closed. */
  waitMs(): number
  /** Records a failure. Answers the wait in ms, at least the pause that the dependency asked for. */
  fail(reason: string, retryAfterMs?: number): number
  /** Records that a partition waits, until a success, or until its signal aborts because another member has it. */
  addWaiting(partition: AbortSignal): void
  /** Closes the breaker, unless the dependency asked for a pause: this success may have been under way before. */
  succeed(): void
  /**
   * Reason and start of the wait; null while the breaker is closed or no partition that met the failure is still here.
   */
  open(): { readonly reason: string; readonly since: number } | null
}

interface BreakerOptions {
  readonly firstMs: number
  readonly maxMs: number
  /** Milliseconds of a monotonic clock: a wall clock that is set back would lengthen the pause. */
  readonly now?: () => number
  /** Milliseconds since the epoch, for people. */
  readonly wallClock?: () => number
}

/** Longest pause that a dependency may ask for. */
const MAX_RETRY_AFTER_MS = 15 * 60_000

export const createBreaker = ({
  firstMs,
  maxMs,
  now = () => performance.now(),
  wallClock = Date.now,
}: BreakerOptions): Breaker => {
  let failures = 0
  let closedUntil = 0
  let retryAfterUntil = 0
  let opened: { readonly reason: string; readonly since: number } | null = null
  const waiting = new Set<AbortSignal>()
  const open = () => {
    for (const partition of waiting) if (partition.aborted) waiting.delete(partition)
    return waiting.size === 0 ? null : opened
  }
  const waitMs = () => Math.max(0, Math.max(closedUntil, retryAfterUntil) - now())
  return {
    waitMs,
    fail: (reason, retryAfterMs = 0) => {
      // Failures of several partitions at once count as one: only the first lengthens the pause.
      if (waitMs() === 0) {
        closedUntil = now() + Math.min(maxMs, firstMs * 2 ** Math.min(failures, 30))
        failures += 1
      }
      retryAfterUntil = Math.max(retryAfterUntil, now() + Math.min(retryAfterMs, MAX_RETRY_AFTER_MS))
      opened = { reason, since: open()?.since ?? wallClock() }
      return waitMs()
    },
    addWaiting: partition => waiting.add(partition),
    succeed: () => {
      if (retryAfterUntil > now()) return
      failures = 0
      closedUntil = 0
      opened = null
      waiting.clear()
    },
    open,
  }
}

/** A consumer's work on a batch. */
export type Handler = (batch: Batch, context: BatchContext) => Promise<Continuation>

/**
 * Wraps a handler so that it waits while a dependency is away: the partition stands still, nothing is committed, and
 * the same batch comes again after a growing pause. Other errors go to the log, which also delivers the batch again.
 */
export const waitForDependency =
  (group: string, breaker: Breaker, observer: Observer, handle: Handler): Handler =>
  async (batch, context) => {
    const next = batch.records[0]?.offset ?? 0
    const wait = (pauseMs: number): Continuation => {
      breaker.addWaiting(context.signal)
      return { next, pauseMs }
    }
    const succeed = (): void => {
      const waitedFor = breaker.open()?.reason
      breaker.succeed()
      if (waitedFor !== undefined && breaker.open() === null)
        observer.note('No longer waiting for a dependency', { group, message: waitedFor })
    }
    const fail = (error: unknown): Continuation => {
      // Another member has the partition and repeats the work.
      if (isAssayError(error) && error.code === 'partition_lost') return { next }
      // The consumer leaves the group: other members may know the schema.
      if (error instanceof SchemaUnknown) throw error
      const { kind, errorClass, message, retryAfterMs } = classifyThrown(error)
      if (kind === 'data') {
        observer.note('A batch failed', { group, errorClass, frames: framesOf(error) })
        // Thrown without its cause: the log writes the error down, and the cause may quote a record.
        throw new AssayError('internal', message)
      }
      // Noted at the first failure and at a new reason, not at each try.
      const isNew = breaker.open()?.reason !== message
      const pauseMs = breaker.fail(message, retryAfterMs)
      observer.pause(group, pauseMs)
      if (isNew) observer.note('Waiting for a dependency', { group, errorClass, message, pauseMs })
      return wait(pauseMs)
    }
    const complete = async (completion: Promise<void>): Promise<void> => {
      try {
        await completion
      } catch (error) {
        fail(error)
        throw error
      }
      succeed()
    }

    const waitMs = breaker.waitMs()
    if (waitMs > 0) return wait(waitMs)
    try {
      const continuation = await handle(batch, context)
      // A batch that stays, because it is not due or the other lane runs, tells nothing about a dependency.
      if (continuation.next <= next) return continuation
      if (continuation.completion !== undefined)
        return { ...continuation, completion: complete(continuation.completion) }
      succeed()
      return continuation
    } catch (error) {
      return fail(error)
    }
  }

export const firstOffset = (batch: Batch): number => {
  const [first] = batch.records
  if (first === undefined) throw new TypeError('The log delivered an empty batch.')
  return first.offset
}

export const nextOffset = (batch: Batch): number => {
  const last = batch.records.at(-1)
  if (last === undefined) throw new TypeError('The log delivered an empty batch.')
  return last.offset + 1
}
