import { bisect } from '../framework/bisect.ts'
import { classifyThrown } from '../framework/thrown.ts'

/**
 * Writes the items together; one that can never be stored, such as one of a workspace that was deleted, goes to `onUnstorable` and does not
 * keep the others out. Rejects when the store is away. `write` must bear being run again for the same items.
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
