/** One holder's part of a limited resource, such as bytes of memory. */
export interface Share {
  /** False, with nothing taken, when the amount would exceed the holder's part. */
  take(amount: number): boolean
  give(amount: number): void
}

/** A holder may take a quarter of what the others leave, so that the next holder finds room. */
const PART_OF_THE_REST = 4
/** An eighth of the limit is reserved for small holders, whatever the others take. */
const RESERVED_PART = 8
/** Number of holders that the reserve has room for. */
const HOLDERS_IN_RESERVE = 128

/**
 * Divides `limit` among holders such as tenants or senders. Each may take a part of what the others leave, or one item
 * of `largest` size as long as that is at most half of what is left; a holder that is alone always has room for
 * `largest`. The reserve keeps room for small holders: of 128 MiB, 128 holders have 128 KiB each, whatever the others
 * take.
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
  /** The maximum of one holder while the others hold `others`. */
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

/** Takes the amount from each share, or from none. */
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
