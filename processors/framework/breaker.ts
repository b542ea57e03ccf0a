/** Opens when a dependency is away and says how long to keep quiet: twice as long each time, until something succeeds. */
export interface Breaker {
  /** How long to wait before the next try, in milliseconds; 0 while it is closed. */
  waitMs(): number
  /** Notes that the dependency is away; answers how long to wait, which is at least as long as the dependency itself asked for. */
  fail(reason: string, retryAfterMs?: number): number
  /** Notes that a partition waits for the dependency, until something succeeds or its signal aborts: then another member has it. */
  addWaiting(partition: AbortSignal): void
  /** Closes it, unless the dependency asked for a longer pause: another partition's success may have been under way already. */
  succeed(): void
  /** Why and since when partitions wait; null while it is closed, and when none of those that met the failure is here any more. */
  open(): { readonly reason: string; readonly since: number } | null
}

export interface BreakerOptions {
  readonly firstMs: number
  readonly maxMs: number
  readonly now?: () => number
}

/** A dependency may ask for more than the longest pause of our own, but not for more than this. */
const MAX_RETRY_AFTER_MS = 15 * 60_000

export const createBreaker = ({ firstMs, maxMs, now = Date.now }: BreakerOptions): Breaker => {
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
      opened = { reason, since: open()?.since ?? now() }
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
