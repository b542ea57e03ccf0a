import type { TenantId } from '../../schemas/domain/ids.ts'
import type { Lane } from '../../schemas/events/topics.ts'

/** Whose live work there was lately, as bulk sees it: its own is that of the one tenant that bulk is of. */
type LiveWork = 'none' | 'own' | 'of others'

/**
 * Shares a thread between the lanes: bulk runs freely while live is idle, and for a part of the time while it is not. A
 * tenant that is alone here is not held back: all that would wait is its own.
 */
export interface LaneScheduler {
  /** Notes whose signals a batch is of, when it begins. */
  begins(lane: Lane, tenants: ReadonlySet<TenantId>): void
  liveWork(): LiveWork
  /** How long the next batch of bulk has to stay back, in milliseconds; 0 takes its turn. */
  bulkWaitMs(): number
  /** Notes that a batch of bulk is over, which took so long. */
  bulkRan(tookMs: number): void
}

interface LaneShareOptions {
  /** Live counts as idle when it had no batch for so long. */
  readonly idleAfterMs: number
  /** The part of the time that bulk has while live is busy, above 0 and at most 1. */
  readonly bulkPart: number
  readonly now: () => number
}

/** However long a batch took: bulk is behind live, and goes on all the same. */
const LONGEST_WAIT_MS = 2000

export const createLaneScheduler = ({ idleAfterMs, bulkPart, now }: LaneShareOptions): LaneScheduler => {
  /** The tenant that had live work last, and when another one had. */
  let last: { readonly tenant: TenantId; readonly at: number } | null = null
  let anotherAt = Number.NEGATIVE_INFINITY
  /** The tenant that the last batch of bulk is of; null when it is of several. */
  let bulkTenant: TenantId | null = null
  let bulkFrom = Number.NEGATIVE_INFINITY

  const othersAt = (): number => (last !== null && last.tenant !== bulkTenant ? last.at : anotherAt)
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
      if (isLately(othersAt())) return 'of others'
      return isLately(last?.at) ? 'own' : 'none'
    },
    bulkWaitMs: () => Math.max(0, Math.min(bulkFrom, othersAt() + idleAfterMs) - now()),
    bulkRan: tookMs => {
      // From what is owed already: the batches of several groups add up.
      const from = Math.max(bulkFrom, now()) + tookMs * (1 / bulkPart - 1)
      bulkFrom = Math.min(from, now() + LONGEST_WAIT_MS)
    },
  }
}
