import { setTimeout as sleep } from 'node:timers/promises'
import { AssayError, asAssayError, reasonOf } from './errors.ts'
import type { Logger } from './logger.ts'
import { timerMs } from './timers.ts'

/**
 * The work's result, or a rejection with `timeout` when it takes longer. The work itself goes on; nobody waits for it.
 */
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

/** Whether the work ends within the time; where it does not, it goes on. Rejects as the work does. */
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

/** Runs `load` until it succeeds once; callers at the same time share a run. */
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

/** Runs `work`; callers while a run is under way share it, and whoever comes after it starts the next. */
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
 * Runs work by a key. Whoever comes while work of the key is under way shares the next run, which begins when that has
 * ended: what is answered was looked up after it was asked for, and two of a key are under way or wait at most.
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
  /** What is waited for, as the log names it. */
  readonly what: string
  readonly logger: Logger
  readonly firstPauseMs?: number
  readonly longestPauseMs?: number
  /** After so long the last error is thrown. Unless told, it is waited for as long as it takes. */
  readonly deadlineMs?: number
  readonly signal?: AbortSignal
}

/**
 * Tries until it works, with pauses that double, for things that may start later than we do. Says what it waits for
 * whenever the reason is another one, not at each attempt. An error that is not retriable is thrown at once.
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

/** Goes on with a value that is there, or will be: without a promise where there is none to wait for. */
export const withValue = <T, R>(value: T | Promise<T>, goOn: (value: T) => R): R | Promise<R> =>
  value instanceof Promise ? value.then(goOn) : goOn(value)

/** All the values: at once where none of them is to be waited for. */
export const allValues = <T>(values: readonly (T | Promise<T>)[]): readonly T[] | Promise<T[]> => {
  const there: T[] = []
  for (const value of values) {
    if (value instanceof Promise) return Promise.all(values)
    there.push(value)
  }
  return there
}
