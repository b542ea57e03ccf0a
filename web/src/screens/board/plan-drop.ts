/** A Solution in the order that the board shows: those with a manual rank first. */
export interface Placed {
  readonly id: string
  readonly manual_rank: number | null
}

export interface Drop<Item extends Placed> {
  /**
   * What gets ranks that follow each other, in this order: the one that was moved, after those above it that had none.
   */
  readonly ranked: readonly Item[]
  /** The rank of the first. */
  readonly manual_rank: number
}

/**
 * What must be ranked for the Solution at `from` to stand at `to`. What has a rank stands before all that has none: to
 * stand among those, a Solution takes all above it along. Null where nothing would move.
 */
export const planDrop = <Item extends Placed>(items: readonly Item[], from: number, to: number): Drop<Item> | null => {
  const moved = items[from]
  if (moved === undefined || from === to) return null
  const above = items.toSpliced(from, 1).slice(0, to)
  const lastRanked = above.findLast(({ manual_rank }) => manual_rank !== null)
  const unranked = above.filter(({ manual_rank }) => manual_rank === null)
  return { ranked: [...unranked, moved], manual_rank: (lastRanked?.manual_rank ?? 0) + 1 }
}

/** The order as it is to be. */
export const moved = <Item>(items: readonly Item[], from: number, to: number): readonly Item[] =>
  items.flatMap((item, position) => (position === from ? [] : [item])).toSpliced(to, 0, ...items.slice(from, from + 1))
