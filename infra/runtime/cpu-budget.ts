import { AsyncLocalStorage } from 'node:async_hooks'
import { createContext, Script } from 'node:vm'
import { AssayError, isAssayError } from './errors.ts'
import { yieldToEventLoop } from './yielding.ts'

/**
 * Budget for one item unless a setting says otherwise, ms of CPU. An ordinary signal takes less than 1 ms in any step.
 */
export const CPU_BUDGET_MS = 1000

/**
 * Above this length a text goes to a thread of its own. The dearest text of this length takes some 10 ms of CPU, an
 * ordinary signal a tenth of that.
 */
export const LONG_CHARACTERS = 8_192

/**
 * Upper limit by wall clock. Kafka drops a group member that is silent for 10 s, therefore a thread that gets almost no
 * CPU time gives up before that.
 */
const MAX_WALL_MS = 6000
/**
 * The watchdog measures wall time, the budget is CPU time. 90 % of the budget counts as used up, since the two clocks
 * differ by what other threads used in between.
 */
const ALL_BUT = 0.9

export const isTooCostly = (error: unknown): error is AssayError => isAssayError(error) && error.code === 'too_costly'

/**
 * Runs synchronous work and ends it, even inside a regular expression or an endless loop, once it has used its budget
 * of this thread's CPU time. Throws `too_costly` then, or `busy` when other threads left too little CPU time to decide.
 * Asynchronous work that `work` starts is not measured. Ended work runs no `finally` and may be started again: `work`
 * must depend on its input alone and must start no requests, whose failures nobody would handle.
 *
 * A call costs 60 µs, since V8's watchdog is a thread. `withinPart` shares one watchdog among several items.
 *
 * @example const found = withinCpu(CPU_BUDGET_MS, () => pattern.exec(text))
 */
export const withinCpu = <T>(budgetMs: number, work: () => T, longestWallMs = MAX_WALL_MS): T => {
  for (let wallMs = budgetMs; ; ) {
    const before = threadCpuMs()
    const started = performance.now()
    try {
      return interruptible(work, wallMs)
    } catch (error) {
      if (!isWatchdog(error)) throw error
      const usedMs = threadCpuMs() - before
      if (usedMs >= budgetMs * ALL_BUT) throw tooCostly(budgetMs)
      if (wallMs >= longestWallMs) {
        throw new AssayError('busy', 'The machine left this thread too little of its processor.')
      }
      const share = (performance.now() - started) / Math.max(1, usedMs)
      wallMs = Math.min(longestWallMs, budgetMs * share * 1.5)
    }
  }
}

/**
 * Runs synchronous work and ends it after so much wall time, whichever thread had the processor. Throws `too_costly`
 * then. Several items run together do not show which item was dear: the caller runs each again alone with `withinCpu`.
 */
const withinWall = <T>(wallMs: number, work: () => T): T => {
  try {
    return interruptible(work, wallMs)
  } catch (error) {
    throw isWatchdog(error) ? tooCostly(wallMs) : error
  }
}

interface Budget {
  readonly wholeMs: number
  leftMs: number
}

const budgets = new AsyncLocalStorage<Budget>()

/**
 * Starts asynchronous work with a budget. The work runs each part that may be dear by `withinRemainingCpu`, which
 * allows what the earlier parts left of the budget.
 */
export const withBudget = <T>(budgetMs: number, begin: () => T): T => {
  const budget = { wholeMs: budgetMs, leftMs: budgetMs }
  return budgets.run(budget, () => spending(budget, begin))
}

/**
 * Runs a synchronous part of an asynchronous step with what is left of the step's budget; outside of a step with a
 * budget of its own. Throws as `withinCpu` does.
 */
export const withinRemainingCpu = <T>(work: () => T): T => {
  const budget = budgets.getStore()
  if (budget === undefined) return withinCpu(CPU_BUDGET_MS, work)
  try {
    return spending(budget, () => withinCpu(Math.max(LEAST_MS, budget.leftMs), work))
  } catch (error) {
    throw isTooCostly(error) ? tooCostly(budget.wholeMs) : error
  }
}

/** Minimum for a part after the budget is used up, ms: a harmless part must not be the part that fails. */
const LEAST_MS = 5

const spending = <T>(budget: Budget, work: () => T): T => {
  const before = threadCpuMs()
  try {
    return work()
  } finally {
    budget.leftMs -= threadCpuMs() - before
  }
}

const tooCostly = (budgetMs: number): AssayError =>
  new AssayError('too_costly', `It needs more than the ${budgetMs} ms of CPU that one record may cost.`)

/**
 * The watchdog's error comes from the script's context, whose `Error` is another class than ours: `instanceof` fails.
 */
const isWatchdog = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

/** CPU time that this thread has used, ms. */
export const threadCpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * Only `vm` can end synchronous work in Node. The script only calls a function outside of its context, so that the work
 * itself runs as ordinary code.
 */
const interruptible = <T>(work: () => T, wallMs: number): T => {
  called = work
  try {
    return CALL.runInContext(CONTEXT, { timeout: Math.ceil(wallMs) })
  } finally {
    called = nothing
  }
}

const nothing = (): unknown => undefined
let called = nothing
const CONTEXT = createContext({ call: () => called() })
const CALL = new Script('call()')

const FIRST_PART = 64
/** Target length of a part, ms: the event loop runs between parts. */
const PART_MS = 40
/** A part that takes longer, ms, has dear items or too many items. */
const MAX_PART_MS = 250

/**
 * Runs a part of a list. A single item has its budget of CPU time. Several items have at most 250 ms together; when
 * they take longer, the caller tries each alone.
 */
export const withinPart = <T>(items: number, budgetMs: number, work: () => T): T =>
  items === 1 ? withinCpu(budgetMs, work) : withinWall(Math.min(budgetMs, MAX_PART_MS), work)

/**
 * The next part's number of items: what would take 40 ms by the speed of the last part, and at most twice the last
 * part's number.
 */
const createPartSize = () => {
  let size = FIRST_PART
  return {
    next: (): number => size,
    /** The last part had dear items: the next part has one item. */
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
 * By the function that does the work: an item costs about the same in the next call, which starts with the last size.
 */
const partSizes = new WeakMap<object, ReturnType<typeof createPartSize>>()

/** The size of the next part for this work, as learnt from earlier calls. */
export const partSizeOf = (work: object): ReturnType<typeof createPartSize> => {
  const size = partSizes.get(work) ?? createPartSize()
  partSizes.set(work, size)
  return size
}

/**
 * Does synchronous work on each item; the event loop runs in between, and each item has a budget of CPU time. Resolves
 * with the results in order; an item that exceeds its budget has the `too_costly` error as its result. Rejects with any
 * other error. `work` may run twice for an item.
 */
export const inTimeBoundParts = async <Item, Result>(
  items: readonly Item[],
  budgetMs: number,
  work: (item: Item) => Result,
): Promise<readonly (Result | AssayError)[]> => {
  const results: (Result | AssayError)[] = []
  const size = partSizeOf(work)

  while (results.length < items.length) {
    await yieldToEventLoop()
    const part = items.slice(results.length, results.length + size.next())
    const started = performance.now()
    try {
      for (const result of withinPart(part.length, budgetMs, () => part.map(work))) results.push(result)
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
