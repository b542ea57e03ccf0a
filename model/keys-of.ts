/** The keys of a record in its own order and type, which `Object.keys` forgets. */
export const keysOf = <Key extends string>(record: Readonly<Record<Key, unknown>>) =>
  Object.keys(record) as [Key, ...Key[]]
