import type { Valkey } from '../../infra/valkey/port.ts'
import { type Refusal, refusal } from '../refusal.ts'
import { createCounter, type Limit } from './counter.ts'

type Consumed = { readonly kind: 'within'; readonly headers: Readonly<Record<string, string>> } | Refusal

export interface RateLimit {
  /** Counts one request of an endpoint or a tenant, whichever has the limit, by its id. */
  consume(key: string): Promise<Consumed>
}

/**
 * A documented limit, under a name of its own. Edges with the same Valkey count together; with null each edge counts by itself. The
 * headers are those of draft-ietf-httpapi-ratelimit-headers-10.
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
