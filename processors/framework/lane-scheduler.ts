import type { TenantId } from '../../schemas/domain/ids.ts'
import type { Lane } from '../../schemas/events/topics.ts'

/** Recent live work on this thread: none, only of the bulk batch's own tenant, or of other tenants. */
type LiveWork = 'none' | 'own' | 'of others'

/**
 * Shares a thread between the lanes. Seen from bulk, the live lane is in one of three states:
 * - `none`: no live batch within `idleAfterMs`. Bulk runs freely.
 * - `own`: the only live tenant is the tenant of the last bulk batch. Bulk runs freely, since it delays its own tenant
 *   alone.
 * - `of others`: another tenant has live work. After each batch bulk waits, so that it gets `bulkPart` of the time.
 *
 * A call of `begins` for a live batch moves the state towards `own` or `of others`; time without live batches moves it
 * back to `none`. A bulk batch of several tenants has no tenant of its own: all live work is then of others.
 */
export interface LaneScheduler {
  /** Records the tenants of a batch that starts. */
  begins(lane: Lane, tenants: ReadonlySet<TenantId>): void
  liveWork(): LiveWork
  /** Wait before the next bulk batch, ms; 0 starts it at once. */
  bulkWaitMs(): number
  /** Records a finished bulk batch and its duration. */
  bulkRan(tookMs: number): void
}

interface LaneShareOptions {
  /** Live is idle after this time without a batch. */
  readonly idleAfterMs: number
  /** Bulk's part of the time while live is busy: above 0, at most 1. */
  readonly bulkPart: number
  readonly now: () => number
}

/** Longest wait of bulk, however long its batches take: bulk must move on. */
const LONGEST_WAIT_MS = 2000

export const createLaneScheduler = ({ idleAfterMs, bulkPart, now }: LaneShareOptions): LaneScheduler => {
  /** The last tenant with live work, and the last time at which a different tenant had some. */
  let last: { readonly tenant: TenantId; readonly at: number } | null = null
  let anotherAt = Number.NEGATIVE_INFINITY
  /** The tenant of the last bulk batch; null when the batch had several. */
  let bulkTenant: TenantId | null = null
  let bulkAllowedAt = Number.NEGATIVE_INFINITY

  const lastOfAnotherTenant = (): number => (last !== null && last.tenant !== bulkTenant ? last.at : anotherAt)
  const isLately = (at: number | undefined): boolean => at !== undefined && now() - at < idleAfterMs

  const noteLive = (tenant: TenantId): void => {
    if (last !== null && last.tenant !== tenant) anotherAt = last.at
    last = { tenant, at: now() }
  }

  return {
    begins: (lane, tenants) => {
      const [first = null] = tenants
      if (lane === 'bulk') bulkTenant = tenants.size === 1 ? first : null
      else for (const tenant of tenants) noteLive(tenant)
    },
    liveWork: () => {
      if (isLately(lastOfAnotherTenant())) return 'of others'
      return isLately(last?.at) ? 'own' : 'none'
    },
    bulkWaitMs: () => Math.max(0, Math.min(bulkAllowedAt, lastOfAnotherTenant() + idleAfterMs) - now()),
    bulkRan: tookMs => {
      // Waits add up, since several groups run bulk batches.
      const from = Math.max(bulkAllowedAt, now()) + tookMs * (1 / bulkPart - 1)
      bulkAllowedAt = Math.min(from, now() + LONGEST_WAIT_MS)
    },
  }
}
