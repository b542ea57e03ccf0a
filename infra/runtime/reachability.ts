import { isAssayError } from './errors.ts'

/** Since when a service that is called now and then fails, and what it said last. */
export interface Outage {
  /** Milliseconds since the epoch. */
  readonly since: number
  readonly reason: string
}

export interface Reachability {
  /** Runs a call and notes whether the service answered. A refusal is an answer; what may succeed when repeated is none. */
  through<T>(call: () => Promise<T>): Promise<T>
  /** Null after a call that was answered, and when nobody has called for so long that the last failure says nothing any more. */
  away(): Outage | null
}

/** Callers that wait for a service try it again at least twice a minute. */
const STALE_AFTER_MS = 2 * 60_000

/** Follows whether a service can be reached by the calls that are made anyway, without any of its own. */
export const createReachability = (now: () => number): Reachability => {
  let failed: (Outage & { readonly last: number }) | null = null
  return {
    through: async call => {
      try {
        const answer = await call()
        failed = null
        return answer
      } catch (error) {
        if (isAssayError(error) && error.retriable) {
          failed = { since: failed?.since ?? now(), last: now(), reason: error.publicMessage }
        } else {
          failed = null
        }
        throw error
      }
    },
    away: () =>
      failed === null || now() - failed.last > STALE_AFTER_MS ? null : { since: failed.since, reason: failed.reason },
  }
}
