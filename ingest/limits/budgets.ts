import { createTokenBuckets } from '../../infra/runtime/token-buckets.ts'
import { createWindowCounts } from '../../infra/runtime/window-counts.ts'
import type { TenantId } from '../../schemas/domain/ids.ts'
import { type Refusal, refusal } from '../answer.ts'

export interface ByteAllowance {
  /** Refuses while the tenant has used up what it may send, before more of it is read. */
  check(tenant: TenantId): Refusal | null
  /**
   * Counts the body of a request that was proven to be the tenant's own, or refuses it: others were read at the same
   * time.
   */
  take(tenant: TenantId, bytes: number): Refusal | null
}

/**
 * What a tenant may send at once: so many seconds' worth. More would keep the edge from everybody else's requests for
 * as long as reading it takes. A body that is larger is taken, and the next ones wait for longer.
 */
const BURST_SECONDS = 6

/**
 * The documented limits count requests, and a code host's may have 25 MiB each: reading and checking a few of those a
 * second would leave the edge no time for anybody else. Each edge counts by itself, since what is guarded is its own
 * time.
 */
export const createByteAllowance = (perMinute: number, now: () => number): ByteAllowance => {
  const perSecond = perMinute / 60
  const buckets = createTokenBuckets<TenantId>({ perSecond, burst: BURST_SECONDS * perSecond, now })

  const check = (tenant: TenantId): Refusal | null => {
    const left = buckets.left(tenant)
    if (left > 0) return null
    const wait = 1 + Math.floor(-left / perSecond)
    const detail = `The endpoints of this tenant take ${perMinute} bytes a minute together. Repeat the request after ${wait} seconds, with growing pauses.`
    return refusal(429, 'too_many_bytes', detail, { headers: { 'retry-after': String(wait) } })
  }

  return {
    check,
    take: (tenant, bytes) => {
      const refused = check(tenant)
      if (refused === null) buckets.take(tenant, bytes)
      return refused
    },
  }
}

export interface FailureBudget {
  /**
   * Refuses when the address has used its budget at the endpoint up; counts nothing. While nobody failed anywhere it
   * does not ask whose the request is, for which the kernel is asked.
   */
  check(endpointId: string, addressGroup: () => string): Refusal | null
  /** Counts one failed proof. */
  fail(endpointId: string, addressGroup: string): void
}

const FAILURES_SECONDS = 60

/**
 * Failed proofs count here and never against the endpoint's limit: a stranger who knows a URL can then neither keep the
 * edge busy with bodies to verify nor use up what the owner may send. Each edge has budgets of its own, even where
 * edges share limits: what is guarded is this edge's time, every request is checked, and addresses of strangers need
 * not be kept anywhere else.
 */
export const createFailureBudget = (perMinute: number): FailureBudget => {
  const failures = createWindowCounts(FAILURES_SECONDS)
  const key = (endpointId: string, addressGroup: string) => `${endpointId} ${addressGroup}`
  return {
    check: (endpointId, addressGroup) => {
      if (failures.isEmpty()) return null
      const failed = failures.read(key(endpointId, addressGroup()))
      if (failed === null || failed.times < perMinute) return null
      const detail = `Too many requests from this address failed authentication. Repeat the request after ${failed.seconds} seconds, with the endpoint's secret.`
      return refusal(429, 'too_many_failures', detail, { headers: { 'retry-after': String(failed.seconds) } })
    },
    fail: (endpointId, addressGroup) => void failures.count(key(endpointId, addressGroup)),
  }
}
