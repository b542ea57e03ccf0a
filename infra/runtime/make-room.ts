/** Removes the oldest entry of a map that has `most` entries, so that there is room for another. */
export const makeRoom = <Key>(map: Map<Key, unknown>, most: number): void => {
  const [oldest] = map.keys()
  if (map.size >= most && oldest !== undefined) map.delete(oldest)
}
