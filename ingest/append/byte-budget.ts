import type { TenantId } from '../../schemas/domain/ids.ts'

/**
 * A number of bytes that many share: a body or a record holds its bytes from the moment it is in memory until it is
 * gone.
 */
export interface ByteBudget {
  /** False, with nothing taken, when that many are not left. */
  take(bytes: number): boolean
  give(bytes: number): void
  used(): number
}

export const createByteBudget = (limit: number): ByteBudget => {
  let used = 0
  return {
    take: bytes => {
      if (used + bytes > limit) return false
      used += bytes
      return true
    },
    give: bytes => {
      used -= bytes
    },
    used: () => used,
  }
}

/** The part of the whole that one tenant's bodies may take, so that others always find room. */
const SHARES = 4

/** What each tenant may take of a budget of `limit` bytes: a quarter, or the largest body that there is by itself. */
export const createTenantBudgets = (limit: number, largestBody: number): ((tenant: TenantId) => ByteBudget) => {
  const used = new Map<TenantId, number>()
  const most = Math.max(limit / SHARES, largestBody)
  const usedBy = (tenant: TenantId) => used.get(tenant) ?? 0
  const use = (tenant: TenantId, bytes: number) => {
    if (bytes === 0) used.delete(tenant)
    else used.set(tenant, bytes)
  }
  return tenant => ({
    take: bytes => {
      const sum = usedBy(tenant) + bytes
      if (sum > most) return false
      if (bytes > 0) use(tenant, sum)
      return true
    },
    give: bytes => {
      if (bytes > 0) use(tenant, usedBy(tenant) - bytes)
    },
    used: () => usedBy(tenant),
  })
}
