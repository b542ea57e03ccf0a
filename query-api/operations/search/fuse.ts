/** Damps the lead of the first ranks (Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion", SIGIR 2009). */
const K = 60

export interface Fused<Item> {
  readonly item: Item
  /** Only comparable within one fusion. */
  readonly score: number
}

/** Fuses rankings by reciprocal rank: what stands high in several comes first. Items of one id are one. */
export const fuse = <Item extends { readonly id: string }>(rankings: readonly (readonly Item[])[]): Fused<Item>[] => {
  const fused = new Map<string, Fused<Item>>()
  for (const ranking of rankings) {
    ranking.forEach((item, index) => {
      const score = (fused.get(item.id)?.score ?? 0) + 1 / (K + index + 1)
      fused.set(item.id, { item, score })
    })
  }
  return [...fused.values()].sort((left, right) => right.score - left.score || (left.item.id < right.item.id ? 1 : -1))
}
