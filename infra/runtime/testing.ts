import { setTimeout as sleep } from 'node:timers/promises'

/** Long after a machine of one busy core has done it. */
const DEADLINE_MS = 180_000
const SHORTEST_PAUSE_MS = 10
const MAX_PAUSE_MS = 250
/** Of what was waited already: a check takes from the processor what the thing that is waited for needs. */
const PAUSE_SHARE = 0.1

/**
 * What `check` answers once it is neither false nor null. Rejects, naming what was waited for, when that does not come;
 * what the last check threw is the cause. For tests: nothing in them may depend on how fast a machine is.
 */
export const eventually = async <T>(
  what: string,
  check: () => Promise<T | null | false> | T | null | false,
  deadlineMs = DEADLINE_MS,
): Promise<T> => {
  const beganAt = Date.now()
  let cause: unknown
  for (;;) {
    try {
      const found = await check()
      if (found !== null && found !== false) return found
      cause = undefined
    } catch (error) {
      cause = error
    }
    const waitedMs = Date.now() - beganAt
    if (waitedMs > deadlineMs) throw new Error(`Waited ${deadlineMs} ms in vain: ${what}`, { cause })
    await sleep(Math.min(MAX_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, waitedMs * PAUSE_SHARE)))
  }
}

/** Numbers from 0 to 1 that are the same at every run (Park and Miller's generator). */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
