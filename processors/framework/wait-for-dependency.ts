import { SchemaUnknown } from '../../infra/log/codec.ts'
import type { Batch, BatchContext, Continuation } from '../../infra/log/port.ts'
import { AssayError, isAssayError } from '../../infra/runtime/errors.ts'
import type { Observer } from './step.ts'
import { classifyThrown, framesOf } from './thrown.ts'

/**
 * Opens when a dependency is away and says how long to keep quiet: twice as long each time, until something succeeds.
 */
export interface Breaker {
  /** How long to wait before the next try, in milliseconds; 0 while it is closed. */
  waitMs(): number
  /**
   * Notes that the dependency is away; answers how long to wait, which is at least as long as the dependency itself
   * asked for.
   */
  fail(reason: string, retryAfterMs?: number): number
  /**
   * Notes that a partition waits for the dependency, until something succeeds or its signal aborts: then another member
   * has it.
   */
  addWaiting(partition: AbortSignal): void
  /**
   * Closes it, unless the dependency asked for a longer pause: another partition's success may have been under way
   * already.
   */
  succeed(): void
  /**
   * Why and since when partitions wait; null while it is closed, and when none of those that met the failure is here
   * any more.
   */
  open(): { readonly reason: string; readonly since: number } | null
}

interface BreakerOptions {
  readonly firstMs: number
  readonly maxMs: number
  /** Milliseconds of a clock that never goes back: one that is set back by a year would have the pause be a year. */
  readonly now?: () => number
  /** Milliseconds since the epoch, for people. */
  readonly wallClock?: () => number
}

/** A dependency may ask for more than the longest pause of our own, but not for more than this. */
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
      // Partitions that fail at once are one failure: only the first of them makes the pause grow.
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

/** What a consumer does with a batch. */
export type Handler = (batch: Batch, context: BatchContext) => Promise<Continuation>

/**
 * A handler that waits while a dependency is away: the partition stands still, nothing is committed, and the same batch
 * comes again after a pause that grows. Other errors are left to the log, which delivers the batch again too.
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
      // Said when it begins, or another reason comes, and not at each try.
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
      // A batch that stays where it is, because it is not due or another lane has its turn, says nothing of any
      // dependency.
      if (continuation.next <= next) return continuation
      if (continuation.completion !== undefined)
        return { ...continuation, completion: complete(continuation.completion) }
      succeed()
      return continuation
    } catch (error) {
      return fail(error)
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
