import { classifyThrown } from './thrown.ts'

/**
 * What bisecting does with an error: find the items that cause it by halves, or one by one, or give it up to the
 * caller.
 */
export type BisectStrategy = 'items' | 'each' | 'batch'

/**
 * Runs `work` over `items`; when it fails for a reason that lies in the items, over each half, down to the single items
 * that cannot succeed, which go to `onCulprit`. Where a failure is dear, `each` tries every item alone at once: all
 * fail but once more. An error that lies in the batch as a whole goes to `onBatch`, for the part it hit. `work` must
 * bear being run again for the same items.
 */
export const bisect = async <Item>(
  items: readonly Item[],
  work: (part: readonly Item[]) => Promise<void>,
  blame: (error: unknown) => BisectStrategy,
  onCulprit: (item: Item, error: unknown) => void,
  onBatch: (part: readonly Item[], error: unknown) => void,
): Promise<void> => {
  const [only] = items
  if (only === undefined) return
  try {
    await work(items)
  } catch (error) {
    const blamed = blame(error)
    if (blamed === 'batch') return onBatch(items, error)
    if (items.length === 1) return onCulprit(only, error)
    if (blamed === 'each') {
      for (const item of items) await bisect([item], work, blame, onCulprit, onBatch)
      return
    }
    const middle = Math.ceil(items.length / 2)
    await bisect(items.slice(0, middle), work, blame, onCulprit, onBatch)
    await bisect(items.slice(middle), work, blame, onCulprit, onBatch)
  }
}

/**
 * Writes the items together; one that can never be stored, such as one of a workspace that was deleted, goes to
 * `onUnstorable` and does not keep the others out. Rejects when the store is away. `write` must bear being run again
 * for the same items.
 */
export const storeEach = async <Item>(
  items: readonly Item[],
  write: (part: readonly Item[]) => Promise<void>,
  onUnstorable: (item: Item, errorClass: string) => void,
): Promise<void> => {
  let failure: unknown = null
  await bisect(
    items,
    write,
    error => (classifyThrown(error).kind === 'data' ? 'items' : 'batch'),
    (item, error) => onUnstorable(item, classifyThrown(error).errorClass),
    (_part, error) => {
      failure = error
    },
  )
  if (failure !== null) throw failure
}
