/**
 * The order that comes of putting `id` at `position` (1 stands first; beyond the end, or absent, is the end), whether
 * or not it is in the order already.
 */
export const withItemAt = <Id>(order: readonly Id[], id: Id, position: number | undefined): readonly Id[] => {
  const others = order.filter(other => other !== id)
  return others.toSpliced((position ?? others.length + 1) - 1, 0, id)
}

/** The keys of a record in its own order and type, which `Object.keys` forgets. */
export const keysOf = <Key extends string>(record: Readonly<Record<Key, unknown>>) =>
  Object.keys(record) as [Key, ...Key[]]
