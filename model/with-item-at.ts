/**
 * The order that comes of putting `id` at `position` (1 stands first; beyond the end, or absent, is the end), whether
 * or not it is in the order already.
 */
export const withItemAt = <Id>(order: readonly Id[], id: Id, position: number | undefined): readonly Id[] => {
  const others = order.filter(other => other !== id)
  return others.toSpliced((position ?? others.length + 1) - 1, 0, id)
}
