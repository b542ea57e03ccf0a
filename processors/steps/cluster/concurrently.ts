/** Runs `work` on every item, on at most `limit` at a time; answers in the order of the items. The first error stops what has not begun. */
export const concurrently = async <Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> => {
  const results = new Map<number, Result>()
  const waiting = items.entries()
  let failed = false
  const worker = async () => {
    for (const [index, item] of waiting) {
      if (failed) return
      try {
        results.set(index, await work(item))
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  return [...results.entries()].toSorted(([a], [b]) => a - b).map(([, result]) => result)
}
