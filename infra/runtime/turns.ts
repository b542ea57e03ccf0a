import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises'

/**
 * Work on a thread that others live on, too, gives way this often: heartbeats, probes and a request to stop wait no
 * longer.
 */
const EVERY_MS = 50
/** Work in the background gives way more often, so that what comes into the foreground begins soon. */
const BACKGROUND_EVERY_MS = 10
/** Foreground work is handed from one piece to the next; what is over for so long has no next one. */
const HANDED_OVER_MS = 50
/** Background work goes on after so long all the same: it is the last, not nobody. */
const LONGEST_WAIT_MS = 250
const LOOK_EVERY_MS = 10

let turnedAt = performance.now()
let turning: Promise<void> | null = null

const background = new AsyncLocalStorage<true>()
let inFront = 0
let inFrontAt = Number.NEGATIVE_INFINITY

/** Work that background work on this thread waits for. */
export const inForeground = async <T>(work: () => Promise<T>): Promise<T> => {
  inFront += 1
  try {
    return await work()
  } finally {
    inFront -= 1
    inFrontAt = performance.now()
  }
}

/** Work that waits, at each of its turns, while there is foreground work on this thread. */
export const inBackground = <T>(work: () => Promise<T>): Promise<T> => background.run(true, work)

const hasForeground = (): boolean => inFront > 0 || performance.now() - inFrontAt < HANDED_OVER_MS

const letForegroundPass = async (): Promise<void> => {
  const until = performance.now() + LONGEST_WAIT_MS
  while (hasForeground() && performance.now() < until) await sleep(LOOK_EVERY_MS)
}

/** Whether the caller was begun by `inBackground`. */
export const isInBackground = (): boolean => background.getStore() === true

/**
 * Background work that holds what others wait for: it lets the foreground pass once more, then gives way no more until
 * it is done.
 */
export const hurry = async <T>(work: () => Promise<T>): Promise<T> => {
  await yieldToEventLoop()
  return background.exit(work)
}

/** One for all who wait: the first that goes on afterwards may use the time up, and the others wait again. */
const turn = async (): Promise<void> => {
  await immediate()
  turnedAt = performance.now()
  turning = null
}

/**
 * Lets the thread's event loop turn when it had no turn for long. Called between two pieces of work that never wait for
 * anything.
 */
export const yieldToEventLoop = async (): Promise<void> => {
  const isBehind = isInBackground()
  if (isBehind) await letForegroundPass()
  while (performance.now() - turnedAt >= (isBehind ? BACKGROUND_EVERY_MS : EVERY_MS)) {
    turning ??= turn()
    await turning
  }
}
