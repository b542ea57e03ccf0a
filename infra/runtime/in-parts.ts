import { isTooCostly, withinCpu, withinWall } from './cpu-budget.ts'
import type { AssayError } from './errors.ts'
import { yieldToEventLoop } from './turns.ts'

const FIRST_PART = 64
/** A part takes about so long, so that the event loop gets its turns. */
const PART_MS = 40
/** A part that takes longer than this has dear items, or was begun with too many. */
const MAX_PART_MS = 250

/** Runs a part: one item alone has its budget of CPU; several together as long as the thread may be blocked, and then each alone. */
export const withinPart = <T>(items: number, budgetMs: number, work: () => T, longestMs = MAX_PART_MS): T =>
  items === 1 ? withinCpu(budgetMs, work) : withinWall(Math.min(budgetMs, longestMs), work)

/** How many items the next part has: as many as would take 40 ms by what the last one took, and at most twice as many as that. */
export const createPartSize = () => {
  let size = FIRST_PART
  return {
    next: (): number => size,
    /** Some of the last one were dear. */
    shrink: (): void => {
      size = 1
    },
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
export const inTimeBoundParts = async <Item, Result>(
  items: readonly Item[],
  budgetMs: number,
  work: (item: Item) => Result,
): Promise<readonly (Result | AssayError)[]> => {
  const results: (Result | AssayError)[] = []
  const size = createPartSize()

  while (results.length < items.length) {
    await yieldToEventLoop()
    const part = items.slice(results.length, results.length + size.next())
    const started = performance.now()
    try {
      results.push(...withinPart(part.length, budgetMs, () => part.map(work)))
    } catch (error) {
      if (!isTooCostly(error)) throw error
      if (part.length === 1) results.push(error)
      else {
        size.shrink()
        continue
      }
    }
    size.took(part.length, performance.now() - started)
  }
  return results
}
