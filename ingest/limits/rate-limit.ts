import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Valkey } from '../../infra/valkey/port.ts'
import { type Refusal, refusal } from '../answer.ts'

type Consumed = { readonly kind: 'within'; readonly headers: Readonly<Record<string, string>> } | Refusal

export interface RateLimit {
  /** Counts one request of an endpoint or a tenant, whichever has the limit, by its id. */
  consume(key: string): Promise<Consumed>
}

/**
 * A documented limit, under a name of its own. Edges with the same Valkey count together; with null each edge counts by
 * itself. The headers are those of draft-ietf-httpapi-ratelimit-headers-10.
 */
export const createRateLimit = (name: string, limit: Limit, valkey: Valkey | null): RateLimit => {
  const { per = 'endpoint' } = limit
  const counter = createCounter(name, limit, valkey)
  const policy = `"${per}";q=${limit.requests};w=${limit.seconds}`
  return {
    consume: async key => {
      const { within, remaining, seconds } = await counter(key)
      const headers = { 'ratelimit-policy': policy, ratelimit: `"${per}";r=${remaining};t=${seconds}` }
      if (within) return { kind: 'within', headers }
      const detail = `This ${per} takes ${limit.requests} requests in ${limit.seconds} seconds. Repeat the request after ${seconds} seconds, with growing pauses.`
      return refusal(429, 'rate_limited', detail, { headers: { ...headers, 'retry-after': String(seconds) } })
    },
  }
}

/** So many requests within a window that begins with the first of them. */
export interface Limit {
  readonly requests: number
  readonly seconds: number
  /** Who has it; an endpoint unless told. */
  readonly per?: 'endpoint' | 'tenant'
}

interface Counted {
  /** False when the limit was used up before. */
  readonly within: boolean
  readonly remaining: number
  /** Until the window ends. */
  readonly seconds: number
}

/** Counts one request under a key. */
type Counter = (key: string) => Promise<Counted>

/**
 * Counts in memory, or with every edge that has the same Valkey together. While that is away each edge counts by
 * itself, from nothing: a sender may then use the limit up once more at each edge, which is better than holding its
 * requests. A counter's name keeps its keys apart from others'.
 */
const createCounter = (name: string, { requests, seconds }: Limit, valkey: Valkey | null): Counter => {
  const options = { points: requests, duration: seconds }
  const alone = new RateLimiterMemory(options)
  if (valkey === null) return key => count(alone, key)
  // The library's limiter for Redis: Valkey runs its script too, whereas Redis does not know what the one for Valkey
  // calls.
  const shared = new RateLimiterRedis({
    ...options,
    storeClient: valkey.client,
    keyPrefix: `assay:limit:${name}`,
    // Whoever goes on sending beyond the limit is refused without asking again.
    inMemoryBlockOnConsumed: requests,
  })
  return async key => {
    if (!valkey.answers()) return count(alone, key)
    try {
      return await count(shared, key)
    } catch (error) {
      // Told here rather than by the library's own insurance, which keeps it to itself: the next request must not wait
      // as well.
      valkey.failed(error)
      return count(alone, key)
    }
  }
}

/** The limiter rejects with its state when the limit is used up, and with an error when it cannot tell. */
const count = async (limiter: RateLimiterAbstract, key: string): Promise<Counted> => {
  try {
    return counted(await limiter.consume(key), true)
  } catch (reason) {
    if (reason instanceof RateLimiterRes) return counted(reason, false)
    throw reason
  }
}

const counted = ({ remainingPoints, msBeforeNext }: RateLimiterRes, within: boolean): Counted => ({
  within,
  remaining: within ? Math.max(0, remainingPoints) : 0,
  seconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
})
