/** Removes what a map has held longest where it is full, so that one more finds room. */
export const makeRoom = <Key>(map: Map<Key, unknown>, most: number): void => {
  const [oldest] = map.keys()
  if (map.size >= most && oldest !== undefined) map.delete(oldest)
}
