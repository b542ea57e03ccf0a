import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises'

/** How long work may keep the event loop, ms. Heartbeats, probes and a request to stop wait no longer than this. */
const EVERY_MS = 50
/** The same for background work, so that foreground work begins soon. */
const BACKGROUND_EVERY_MS = 10
/** After foreground work ends, background work waits this long for the next piece, ms. */
const HANDED_OVER_MS = 50
/** Background work continues after 250 ms even while foreground work runs. */
const LONGEST_WAIT_MS = 250
const LOOK_EVERY_MS = 10

let turnedAt = performance.now()
let turning: Promise<void> | null = null

const background = new AsyncLocalStorage<true>()
let inFront = 0
let inFrontAt = Number.NEGATIVE_INFINITY

/** Runs work that background work on this thread waits for. */
export const inForeground = async <T>(work: () => Promise<T>): Promise<T> => {
  inFront += 1
  try {
    return await work()
  } finally {
    inFront -= 1
    inFrontAt = performance.now()
  }
}

/** Runs work that waits at each `yieldToEventLoop` while foreground work runs on this thread. */
export const inBackground = <T>(work: () => Promise<T>): Promise<T> => background.run(true, work)

const hasForeground = (): boolean => inFront > 0 || performance.now() - inFrontAt < HANDED_OVER_MS

const letForegroundPass = async (): Promise<void> => {
  const until = performance.now() + LONGEST_WAIT_MS
  while (hasForeground() && performance.now() < until) await sleep(LOOK_EVERY_MS)
}

export const isInBackground = (): boolean => background.getStore() === true

/**
 * For background work that holds something others wait for, such as a lock: waits for foreground work once more, then
 * runs without further yields to it until done.
 */
export const hurry = async <T>(work: () => Promise<T>): Promise<T> => {
  await yieldToEventLoop()
  return background.exit(work)
}

/**
 * One turn of the event loop for all who wait: the first caller that continues may use up the time, and the others wait
 * again.
 */
const turn = async (): Promise<void> => {
  await immediate()
  turnedAt = performance.now()
  turning = null
}

/**
 * Lets the event loop turn when it had no turn for 50 ms (in background work 10 ms). Call between pieces of long
 * synchronous work.
 *
 * @example
 * for (const row of rows) {
 *   index(row)
 *   await yieldToEventLoop()
 * }
 */
export const yieldToEventLoop = async (): Promise<void> => {
  const isBehind = isInBackground()
  if (isBehind) await letForegroundPass()
  while (performance.now() - turnedAt >= (isBehind ? BACKGROUND_EVERY_MS : EVERY_MS)) {
    turning ??= turn()
    await turning
  }
}
