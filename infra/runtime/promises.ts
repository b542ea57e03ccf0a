import { setTimeout as sleep } from 'node:timers/promises'
import { AssayError, asAssayError, reasonOf } from './errors.ts'
import type { Logger } from './logger.ts'
import { timerMs } from './timers.ts'

/** The work's result, or a rejection with `timeout` after `ms`. The work itself is not ended. */
export const withDeadline = async <T>(work: Promise<T>, ms: number, what: string): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AssayError('timeout', `${what} took longer than ${ms} ms.`)), timerMs(ms))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** True when the work ends within `ms`. The work is not ended. Rejects as the work does. */
export const endsWithin = async (work: Promise<unknown>, ms: number): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>(resolve => {
    timer = setTimeout(resolve, timerMs(ms), false)
  })
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Runs `load` until it succeeds once. Concurrent callers share a run. */
export const memoizeSuccess = <T>(load: () => Promise<T>): (() => Promise<T>) => {
  let loaded: Promise<T> | null = null
  return () => {
    loaded ??= load().catch(error => {
      loaded = null
      throw error
    })
    return loaded
  }
}

/** Concurrent callers share a run of `work`; a call after its end starts the next run. */
export const shareConcurrentRuns = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<T> | null = null
  return () => {
    running ??= work().finally(() => {
      running = null
    })
    return running
  }
}

/**
 * Runs work by a key. Calls during a run share the next run of that key, which begins when the current one ends: each
 * result was read after its call. At most one run of a key is under way and one waits.
 */
export const shareNextRuns = <T>(): ((key: string, work: () => Promise<T>) => Promise<T>) => {
  const underWay = new Map<string, Promise<void>>()
  const next = new Map<string, Promise<T>>()
  const begin = (key: string, work: () => Promise<T>): Promise<T> => {
    const run = work()
    const ended = run.then(
      () => void underWay.delete(key),
      () => void underWay.delete(key),
    )
    underWay.set(key, ended)
    return run
  }
  return (key, work) => {
    const shared = next.get(key)
    if (shared !== undefined) return shared
    const before = underWay.get(key)
    if (before === undefined) return begin(key, work)
    const run = before.then(() => {
      next.delete(key)
      return begin(key, work)
    })
    next.set(key, run)
    return run
  }
}

interface WaitOptions {
  /** The name of what is waited for, in the log. */
  readonly what: string
  readonly logger: Logger
  readonly firstPauseMs?: number
  readonly longestPauseMs?: number
  /** After this time the last error is thrown; without limit unless given. */
  readonly deadlineMs?: number
  readonly signal?: AbortSignal
}

/**
 * Repeats an attempt, with pauses that double, for a dependency that may start later than this program. Logs when the
 * reason changes, not at each attempt. Throws an error that is not retriable at once.
 *
 * @example await waitFor(() => log.ping(), { what: 'the log', logger })
 */
export const waitFor = async <T>(attempt: () => Promise<T>, options: WaitOptions): Promise<T> => {
  const {
    what,
    logger,
    firstPauseMs = 100,
    longestPauseMs = 5000,
    deadlineMs = Number.POSITIVE_INFINITY,
    signal,
  } = options
  const end = Date.now() + deadlineMs
  let waitedFor: string | null = null
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
    try {
      const result = await attempt()
      if (waitedFor !== null) logger.warn(`no longer waiting for ${what}`)
      return result
    } catch (error) {
      const { retriable, publicMessage } = asAssayError(error)
      if (!retriable || Date.now() + pause > end) throw error
      if (waitedFor !== publicMessage) logger.warn(reasonOf(error), `waiting for ${what}`)
      waitedFor = publicMessage
      await sleep(timerMs(pause), undefined, signal === undefined ? {} : { signal })
    }
  }
}

/** Continues with a value now, or after its promise: the result is a promise only where `value` is one. */
export const withValue = <T, R>(value: T | Promise<T>, goOn: (value: T) => R): R | Promise<R> =>
  value instanceof Promise ? value.then(goOn) : goOn(value)

/** All values; a promise only where one of the values is a promise. */
export const allValues = <T>(values: readonly (T | Promise<T>)[]): readonly T[] | Promise<T[]> => {
  const there: T[] = []
  for (const value of values) {
    if (value instanceof Promise) return Promise.all(values)
    there.push(value)
  }
  return there
}
