import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import type { TenantId } from '../../schemas/domain/ids.ts'
import { type Refusal, refusal } from '../refusal.ts'

export interface ByteAllowance {
  /** Refuses while the tenant has used up what it may send, before more of it is read. */
  check(tenant: TenantId): Promise<Refusal | null>
  /** Counts the body of a request that was proven to be the tenant's own. */
  add(tenant: TenantId, bytes: number): Promise<void>
}

/**
 * The documented limits count requests, and a code host's may have 25 MiB each: reading and checking a few of those a second would
 * leave the edge no time for anybody else. Each edge counts by itself, since what is guarded is its own time.
 */
export const createByteAllowance = (perMinute: number): ByteAllowance => {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 })
  return {
    check: async tenant => {
      const state = await limiter.get(tenant)
      if (state === null || state.consumedPoints < perMinute) return null
      const wait = secondsOf(state)
      const detail = `The endpoints of this tenant take ${perMinute} bytes a minute together. Repeat the request after ${wait} seconds, with growing pauses.`
      return refusal(429, 'too_many_bytes', detail, { headers: { 'retry-after': String(wait) } })
    },
    add: async (tenant, bytes) => {
      // `consume` would reject once it is used up, which `check` says.
      await limiter.penalty(tenant, bytes)
    },
  }
}

const secondsOf = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1000))
