import { isTooCostly, withinCpu } from './cpu-budget.ts'
import type { AssayError } from './errors.ts'
import { giveTurn } from './turns.ts'

const FIRST_PART = 16
/** A part takes about so long, so that the event loop gets its turns. */
const PART_MS = 25

/** How many items the next part has: as many as would take 25 ms by what the last one took, and at most twice as many as that. */
export const createPartSize = () => {
  let size = FIRST_PART
  return {
    next: (): number => size,
    took: (items: number, milliseconds: number): void => {
      const fitting = Math.floor((PART_MS * items) / Math.max(0.001, milliseconds))
      size = Math.min(Math.max(1, fitting), size * 2)
    },
  }
}

/**
 * Does synchronous work on each item, with turns of the event loop in between and each item within its budget of CPU. Answers in order;
 * for an item that uses up its budget, the error that says so. Any other throw is the caller's. `work` may run twice for an item.
 */
export const inParts = async <Item, Result>(
  items: readonly Item[],
  budgetMs: number,
  work: (item: Item) => Result,
): Promise<readonly (Result | AssayError)[]> => {
  const results: (Result | AssayError)[] = []
  const size = createPartSize()

  const one = async (item: Item): Promise<Result | AssayError> => {
    await giveTurn()
    try {
      return withinCpu(budgetMs, () => work(item))
    } catch (error) {
      if (isTooCostly(error)) return error
      throw error
    }
  }

  while (results.length < items.length) {
    await giveTurn()
    const part = items.slice(results.length, results.length + size.next())
    const started = performance.now()
    try {
      results.push(...withinCpu(budgetMs, () => part.map(work)))
    } catch (error) {
      if (!isTooCostly(error)) throw error
      if (part.length === 1) results.push(error)
      else for (const item of part) results.push(await one(item))
    }
    size.took(part.length, performance.now() - started)
  }
  return results
}
