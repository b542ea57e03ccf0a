import { createTokenBuckets } from '../../infra/runtime/token-buckets.ts'
import { createWindowCounts } from '../../infra/runtime/window-counts.ts'
import type { TenantId } from '../../schemas/domain/ids.ts'
import { type Refusal, refusal } from '../answer.ts'

export interface ByteAllowance {
  /** Refuses a tenant that has used up its bytes, before more of the body is read. */
  check(tenant: TenantId): Refusal | null
  /** Counts the body of a proven request. Checks again, since other bodies were read meanwhile. */
  take(tenant: TenantId, bytes: number): Refusal | null
}

/**
 * Burst in seconds of the rate: reading a larger burst would delay all other requests. A larger body is taken, and the
 * tenant's next bodies wait longer.
 */
const BURST_SECONDS = 6

/**
 * Bytes that a tenant may send. The documented limits count requests, and a code host's request may have 25 MiB: a few
 * of those a second would take all of the edge's time. Each edge counts its own, since this protects its own time.
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
   * Refuses an address that has used up its failures at the endpoint. Counts nothing. Calls `addressGroup`, which asks
   * the kernel, only while there are failures.
   */
  check(endpointId: string, addressGroup: () => string): Refusal | null
  /** Counts one failed proof. */
  fail(endpointId: string, addressGroup: string): void
}

const FAILURES_SECONDS = 60

/**
 * Failed proofs by address and endpoint. They do not count against the endpoint's limit: a stranger who knows the URL
 * can neither make the edge verify many bodies nor use up the owner's limit. Each edge counts its own, even with shared
 * limits, since this protects its own time and keeps strangers' addresses in one place.
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
