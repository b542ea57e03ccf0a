/** Opens when a dependency is away and says how long to keep quiet: twice as long each time, until something succeeds. */
export interface Breaker {
  /** How long to wait before the next try, in milliseconds; 0 while it is closed. */
  waitMs(): number
  /** Notes that the dependency is away; answers how long to wait. */
  fail(reason: string): number
  succeed(): void
  /** Why and since when it is open; null while it is closed. */
  open(): { readonly reason: string; readonly since: number } | null
}

export interface BreakerOptions {
  readonly firstMs: number
  readonly maxMs: number
  readonly now?: () => number
}

export const createBreaker = ({ firstMs, maxMs, now = Date.now }: BreakerOptions): Breaker => {
  let failures = 0
  let quietUntil = 0
  let opened: { readonly reason: string; readonly since: number } | null = null
  const waitMs = () => Math.max(0, quietUntil - now())
  return {
    waitMs,
    fail: reason => {
      // Partitions that fail at once are one failure: only the first of them makes the pause grow.
      if (waitMs() === 0) {
        quietUntil = now() + Math.min(maxMs, firstMs * 2 ** Math.min(failures, 30))
        failures += 1
      }
      opened = { reason, since: opened?.since ?? now() }
      return waitMs()
    },
    succeed: () => {
      failures = 0
      quietUntil = 0
      opened = null
    },
    open: () => opened,
  }
}
