import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { withValue } from '../../infra/runtime/promises.ts'
import { type Counted, createWindowCounts } from '../../infra/runtime/window-counts.ts'
import type { Valkey } from '../../infra/valkey/port.ts'
import { type Refusal, refusal } from '../answer.ts'
import { KEEPS_NOTHING, type KeptCounts } from './kept-counts.ts'

type Consumed = { readonly kind: 'within'; readonly headers: Readonly<Record<string, string>> } | Refusal

export interface RateLimit {
  /** Counts one request of an endpoint or tenant by its id. Synchronous when the count is in memory. */
  consume(key: string): Consumed | Promise<Consumed>
}

/** Where limits are counted. */
export interface LimitStores {
  /** Edges with the same Valkey count together; with null each edge counts alone. */
  readonly valkey: Valkey | null
  /** Keeps an edge's own counts over its restart. */
  readonly kept?: KeptCounts
}

/** A documented limit under a unique name. Its headers follow draft-ietf-httpapi-ratelimit-headers-10. */
export const createRateLimit = (name: string, limit: Limit, stores: LimitStores): RateLimit => {
  const { per = 'endpoint' } = limit
  const counter = createCounter(name, limit, stores)
  const policy = `"${per}";q=${limit.requests};w=${limit.seconds}`
  const consumed = ({ times, seconds }: Counted): Consumed => {
    const remaining = Math.max(0, limit.requests - times)
    const headers = { 'ratelimit-policy': policy, ratelimit: `"${per}";r=${remaining};t=${seconds}` }
    if (times <= limit.requests) return { kind: 'within', headers }
    const detail = `This ${per} takes ${limit.requests} requests in ${limit.seconds} seconds. Repeat the request after ${seconds} seconds, with growing pauses.`
    return refusal(429, 'rate_limited', detail, { headers: { ...headers, 'retry-after': String(seconds) } })
  }
  return {
    consume: key => withValue(counter(key), consumed),
  }
}

/** A number of requests in a window that begins with the first request. */
export interface Limit {
  readonly requests: number
  readonly seconds: number
  /** The unit that the limit counts for; `endpoint` unless given. */
  readonly per?: 'endpoint' | 'tenant'
}

/** Counts one request under a key. */
type Counter = (key: string) => Counted | Promise<Counted>

/**
 * Counts in memory, or together with all edges of the same Valkey. While Valkey is away each edge counts alone from
 * zero: a sender may then use the limit once at each edge, which is better than delaying its requests. The name keeps
 * the keys of different limits apart.
 */
const createCounter = (
  name: string,
  { requests, seconds }: Limit,
  { valkey, kept = KEEPS_NOTHING }: LimitStores,
): Counter => {
  const alone = createWindowCounts(seconds)
  kept.keep(name, alone, seconds)
  if (valkey === null) return alone.count
  // The library's limiter for Redis: Valkey runs its script too, while Redis lacks a command that the limiter for
  // Valkey uses.
  const shared = new RateLimiterRedis({
    points: requests,
    duration: seconds,
    storeClient: valkey.client,
    keyPrefix: `assay:limit:${name}`,
    // Requests beyond the limit are refused without asking Valkey again.
    inMemoryBlockOnConsumed: requests,
  })
  const countShared = async (key: string): Promise<Counted> => {
    try {
      return counted(await shared.consume(key))
    } catch (reason) {
      // The library rejects with its state when the limit is used up, and with an error when Valkey fails.
      if (reason instanceof RateLimiterRes) return { ...counted(reason), times: requests + 1 }
      // Reported here, since the library's own insurance hides the failure: the next request must not wait for Valkey
      // too.
      valkey.failed(reason)
      return alone.count(key)
    }
  }
  return key => (valkey.answers() ? countShared(key) : alone.count(key))
}

const counted = ({ consumedPoints, msBeforeNext }: RateLimiterRes): Counted => ({
  times: consumedPoints,
  seconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
})
