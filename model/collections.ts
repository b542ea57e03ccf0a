/** The order with `id` moved to or inserted at `position` (1 is the first; absent or too large is the end). */
export const withItemAt = <Id>(order: readonly Id[], id: Id, position: number | undefined): readonly Id[] => {
  const others = order.filter(other => other !== id)
  return others.toSpliced((position ?? others.length + 1) - 1, 0, id)
}

/** The keys of a record in its own order, with their type, which `Object.keys` loses. */
export const keysOf = <Key extends string>(record: Readonly<Record<Key, unknown>>) =>
  Object.keys(record) as [Key, ...Key[]]
