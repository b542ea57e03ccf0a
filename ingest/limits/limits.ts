import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { type Refusal, refusal } from '../refusal.ts'

/** So many requests within a window that begins with the first of them. */
export interface Limit {
  readonly requests: number
  readonly seconds: number
}

type Consumed = { readonly kind: 'within'; readonly headers: Readonly<Record<string, string>> } | Refusal

export interface RateLimit {
  /** Counts one request of the endpoint. */
  consume(endpointId: string): Promise<Consumed>
}

/** The documented limit of a receiver, for each endpoint. Its headers are those of draft-ietf-httpapi-ratelimit-headers-10. */
export const createRateLimit = (limit: Limit): RateLimit => {
  const limiter = new RateLimiterMemory({ points: limit.requests, duration: limit.seconds })
  const policy = `"endpoint";q=${limit.requests};w=${limit.seconds}`
  const headers = (state: RateLimiterRes) => ({
    'ratelimit-policy': policy,
    ratelimit: `"endpoint";r=${Math.max(0, state.remainingPoints)};t=${seconds(state)}`,
  })
  return {
    consume: async endpointId => {
      const state = await limiter.consume(endpointId).catch(exceeded)
      if (state.consumedPoints <= limit.requests) return { kind: 'within', headers: headers(state) }
      const detail = `This endpoint takes ${limit.requests} requests in ${limit.seconds} seconds. Repeat the request after ${seconds(state)} seconds, with growing pauses.`
      return refusal(429, 'rate_limited', detail, {
        headers: { ...headers(state), 'retry-after': String(seconds(state)) },
      })
    },
  }
}

export interface FailureBudget {
  /** Refuses when the address has used its budget at the endpoint up; costs nothing. */
  check(endpointId: string, addressGroup: string): Promise<Refusal | null>
  /** Counts one failed proof. */
  fail(endpointId: string, addressGroup: string): Promise<void>
}

/**
 * Failed proofs count here and never against the endpoint's limit: a stranger who knows a URL can then neither keep the edge busy with
 * bodies to verify nor use up what the owner may send.
 */
export const createFailureBudget = (perMinute: number): FailureBudget => {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 })
  const key = (endpointId: string, addressGroup: string) => `${endpointId} ${addressGroup}`
  return {
    check: async (endpointId, addressGroup) => {
      const state = await limiter.get(key(endpointId, addressGroup))
      if (state === null || state.consumedPoints < perMinute) return null
      const detail = `Too many requests from this address failed authentication. Repeat the request after ${seconds(state)} seconds, with the endpoint's secret.`
      return refusal(429, 'too_many_failures', detail, { headers: { 'retry-after': String(seconds(state)) } })
    },
    fail: async (endpointId, addressGroup) => {
      await limiter.consume(key(endpointId, addressGroup)).catch(exceeded)
    },
  }
}

const seconds = (state: RateLimiterRes): number => Math.max(1, Math.ceil(state.msBeforeNext / 1000))

/** The limiter rejects with its state when the points are used up, and with an error when it cannot tell. */
const exceeded = (reason: unknown): RateLimiterRes => {
  if (reason instanceof RateLimiterRes) return reason
  throw reason
}
