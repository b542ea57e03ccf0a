import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { withValue } from '../../infra/runtime/promises.ts'
import { type Counted, createWindowCounts } from '../../infra/runtime/window-counts.ts'
import type { Valkey } from '../../infra/valkey/port.ts'
import { type Refusal, refusal } from '../answer.ts'
import { KEEPS_NOTHING, type KeptCounts } from './kept-counts.ts'

type Consumed = { readonly kind: 'within'; readonly headers: Readonly<Record<string, string>> } | Refusal

export interface RateLimit {
  /**
   * Counts one request of an endpoint or a tenant, whichever has the limit, by its id: at once where it is counted in
   * memory.
   */
  consume(key: string): Consumed | Promise<Consumed>
}

/** What limits are counted in. */
export interface LimitStores {
  /** Edges with the same Valkey count together; with null each edge counts by itself. */
  readonly valkey: Valkey | null
  /** What an edge counts by itself is kept over its restart. */
  readonly kept?: KeptCounts
}

/**
 * A documented limit, under a name of its own. The headers are those of draft-ietf-httpapi-ratelimit-headers-10.
 */
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

/** So many requests within a window that begins with the first of them. */
export interface Limit {
  readonly requests: number
  readonly seconds: number
  /** Who has it; an endpoint unless told. */
  readonly per?: 'endpoint' | 'tenant'
}

/** Counts one request under a key. */
type Counter = (key: string) => Counted | Promise<Counted>

/**
 * Counts in memory, or with every edge that has the same Valkey together. While that is away each edge counts by
 * itself, from nothing: a sender may then use the limit up once more at each edge, which is better than holding its
 * requests. A counter's name keeps its keys apart from others'.
 */
const createCounter = (
  name: string,
  { requests, seconds }: Limit,
  { valkey, kept = KEEPS_NOTHING }: LimitStores,
): Counter => {
  const alone = createWindowCounts(seconds)
  kept.keep(name, alone, seconds)
  if (valkey === null) return alone.count
  // The library's limiter for Redis: Valkey runs its script too, whereas Redis does not know what the one for Valkey
  // calls.
  const shared = new RateLimiterRedis({
    points: requests,
    duration: seconds,
    storeClient: valkey.client,
    keyPrefix: `assay:limit:${name}`,
    // Whoever goes on sending beyond the limit is refused without asking again.
    inMemoryBlockOnConsumed: requests,
  })
  const countShared = async (key: string): Promise<Counted> => {
    try {
      return counted(await shared.consume(key))
    } catch (reason) {
      // It rejects with its state when the limit is used up, and with an error when it cannot tell.
      if (reason instanceof RateLimiterRes) return { ...counted(reason), times: requests + 1 }
      // Told here rather than by the library's own insurance, which keeps it to itself: the next request must not wait
      // as well.
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
