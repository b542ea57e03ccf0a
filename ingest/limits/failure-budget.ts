import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { type Refusal, refusal } from '../refusal.ts'

export interface FailureBudget {
  /** Refuses when the address has used its budget at the endpoint up; costs nothing. */
  check(endpointId: string, addressGroup: string): Promise<Refusal | null>
  /** Counts one failed proof. */
  fail(endpointId: string, addressGroup: string): Promise<void>
}

/**
 * Failed proofs count here and never against the endpoint's limit: a stranger who knows a URL can then neither keep the edge busy with
 * bodies to verify nor use up what the owner may send. Each edge has budgets of its own, even where edges share limits: what is guarded
 * is this edge's time, every request is checked, and addresses of strangers need not be kept anywhere else.
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
      // `consume` would reject once the budget is used up, which `check` says.
      await limiter.penalty(key(endpointId, addressGroup))
    },
  }
}

const seconds = (state: RateLimiterRes): number => Math.max(1, Math.ceil(state.msBeforeNext / 1000))
