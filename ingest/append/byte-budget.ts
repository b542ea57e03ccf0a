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

/** A part of a budget: bodies count in it besides the whole. */
export type Share = Pick<ByteBudget, 'take' | 'give'>

/** The part of the whole that the bodies of one may take, so that others always find room. */
const SHARES = 4

/**
 * What each tenant, or each sender, may take of a budget of `limit` bytes: a quarter, or the largest body that there is
 * by itself.
 */
export const createShares = <Holder extends string>(limit: number, largestBody: number): ((of: Holder) => Share) => {
  const used = new Map<Holder, number>()
  const most = Math.max(limit / SHARES, largestBody)
  const usedBy = (holder: Holder) => used.get(holder) ?? 0
  const use = (holder: Holder, bytes: number) => {
    if (bytes === 0) used.delete(holder)
    else used.set(holder, bytes)
  }
  return holder => ({
    take: bytes => {
      const sum = usedBy(holder) + bytes
      if (sum > most) return false
      if (bytes > 0) use(holder, sum)
      return true
    },
    give: bytes => {
      if (bytes > 0) use(holder, usedBy(holder) - bytes)
    },
  })
}

/** Takes from each of them, or from none. */
export const fromEach = (shares: readonly Share[]): Share => ({
  take: bytes => {
    const full = shares.findIndex(share => !share.take(bytes))
    for (const share of shares.slice(0, Math.max(full, 0))) share.give(bytes)
    return full === -1
  },
  give: bytes => {
    for (const share of shares) share.give(bytes)
  },
})
