/** What one of many has of something that there is only so much of, such as bytes of memory. */
export interface Share {
  /** False, with nothing taken, when that many would be more than its part. */
  take(amount: number): boolean
  give(amount: number): void
}

/** What one may take of what the others leave, so that the next one finds room too: a quarter. */
const PART_OF_THE_REST = 4
/** An eighth is reserved for holders of little, whatever the others take. */
const RESERVED_PART = 8
/** How many holders the reserve has room for. */
const HOLDERS_IN_RESERVE = 128

/**
 * What each holder, such as a tenant or a sender, may take of `limit`: a part of what the others leave, or the
 * `largest` amount that is taken at once as long as that is half of it at most; who is alone always has room for it. An
 * eighth is left to holders of little: of 128 MiB, 128 of them have 128 KiB each, whatever the others take.
 */
export const createShares = <Holder extends string>(
  limit: number,
  largest: number,
  partOfTheRest = PART_OF_THE_REST,
): ((holder: Holder) => Share) => {
  const used = new Map<Holder, number>()
  const reserve = limit / RESERVED_PART
  let sum = 0
  const usedBy = (holder: Holder) => used.get(holder) ?? 0
  const use = (holder: Holder, amount: number) => {
    sum += amount - usedBy(holder)
    if (amount === 0) used.delete(holder)
    else used.set(holder, amount)
  }
  /** The most of one while the others hold so much. */
  const mostOf = (others: number): number => {
    const rest = limit - reserve - others
    const large = others === 0 ? largest : Math.min(largest, rest / 2)
    const little = Math.min(reserve / HOLDERS_IN_RESERVE, limit - others)
    return Math.max(rest / partOfTheRest, large, little)
  }
  return holder => ({
    take: amount => {
      const own = usedBy(holder)
      if (own + amount > mostOf(sum - own)) return false
      if (amount > 0) use(holder, own + amount)
      return true
    },
    give: amount => {
      if (amount > 0) use(holder, usedBy(holder) - amount)
    },
  })
}

/** Takes from each of them, or from none. */
export const fromEach = (shares: readonly Share[]): Share => ({
  take: amount => {
    const full = shares.findIndex(share => !share.take(amount))
    for (const share of shares.slice(0, Math.max(full, 0))) share.give(amount)
    return full === -1
  },
  give: amount => {
    for (const share of shares) share.give(amount)
  },
})
