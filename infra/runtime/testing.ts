import { setTimeout as sleep } from 'node:timers/promises'

const DEADLINE_MS = 30_000
const PAUSE_MS = 10

/**
 * What `check` answers once it is neither false nor null. Rejects, naming what was waited for, when that does not come; what the
 * last check threw is the cause. For tests: nothing in them may depend on how fast a machine is.
 */
export const eventually = async <T>(
  what: string,
  check: () => Promise<T | null | false> | T | null | false,
  deadlineMs = DEADLINE_MS,
): Promise<T> => {
  const deadline = Date.now() + deadlineMs
  let cause: unknown
  for (;;) {
    try {
      const found = await check()
      if (found !== null && found !== false) return found
      cause = undefined
    } catch (error) {
      cause = error
    }
    if (Date.now() > deadline) throw new Error(`Waited ${deadlineMs} ms in vain: ${what}`, { cause })
    await sleep(PAUSE_MS)
  }
}
