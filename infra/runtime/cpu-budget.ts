import { AsyncLocalStorage } from 'node:async_hooks'
import { createContext, Script } from 'node:vm'
import { AssayError, isAssayError } from './errors.ts'
import { yieldToEventLoop } from './turns.ts'

/**
 * What one item may cost unless a setting says otherwise. An ordinary signal needs less than a millisecond in any step.
 */
export const CPU_BUDGET_MS = 1000

/**
 * The dearest text of so many takes some ten milliseconds, where an ordinary signal takes a tenth of it: long ones have
 * threads of their own.
 */
export const LONG_CHARACTERS = 8_192

/**
 * A thread that gets next to nothing of the processor is given up on after so long: Kafka waits for 10 s for a member
 * that is silent.
 */
const MAX_WALL_MS = 6000
/** The watchdog looks at the clock on the wall, the thread at its own: they differ by what others took in between. */
const ALL_BUT = 0.9

export const isTooCostly = (error: unknown): error is AssayError => isAssayError(error) && error.code === 'too_costly'

/**
 * Runs synchronous work and ends it, wherever it is, once it has used up its budget of this thread's CPU time: inside a
 * regular expression and an endless loop too. Throws `too_costly` then, and `busy` when the machine left the thread too
 * little to tell. What is awaited is not of it. Work that is ended runs no `finally`, and may be begun again: it must
 * be a function of its input, and asks nobody for anything: an answer that fails would have nobody to hear it.
 *
 * A call costs 60 µs, for V8's watchdog is a thread: see `withinWall` for several items at once.
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
 * Runs synchronous work and ends it when it takes longer by the clock on the wall, whoever had the processor. Throws
 * `too_costly` then, which says nothing of a single item among several: each is to be tried alone, `withinCpu`.
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
 * Begins work that waits: each of its parts that may be dear runs by `withinRest`, with what the parts before it left
 * of the budget.
 */
export const withBudget = <T>(budgetMs: number, begin: () => T): T => {
  const budget = { wholeMs: budgetMs, leftMs: budgetMs }
  return budgets.run(budget, () => spending(budget, begin))
}

/**
 * Runs a synchronous part of a step that waits for others, with what the step has left of its budget, or with a budget
 * of its own where there is no step. Throws as `withinCpu` does.
 */
export const withinRest = <T>(work: () => T): T => {
  const budget = budgets.getStore()
  if (budget === undefined) return withinCpu(CPU_BUDGET_MS, work)
  try {
    return spending(budget, () => withinCpu(Math.max(LEAST_MS, budget.leftMs), work))
  } catch (error) {
    throw isTooCostly(error) ? tooCostly(budget.wholeMs) : error
  }
}

/** What is left when nothing is: so that work of no account is not the one that fails. */
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

/** The error is one of the script's context, whose `Error` is another than ours. */
const isWatchdog = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

/** What this thread has used of a processor, in milliseconds. */
export const threadCpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * `vm` alone can end synchronous work. The script only calls out of its context: what runs is a function of ours, as
 * anywhere.
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
/** A part takes about so long, so that the event loop gets its turns. */
const PART_MS = 40
/** A part that takes longer than this has dear items, or was begun with too many. */
const MAX_PART_MS = 250

/**
 * Runs a part: one item alone has its budget of CPU; several together as long as the thread may be blocked, and then
 * each alone.
 */
export const withinPart = <T>(items: number, budgetMs: number, work: () => T): T =>
  items === 1 ? withinCpu(budgetMs, work) : withinWall(Math.min(budgetMs, MAX_PART_MS), work)

/**
 * How many items the next part has: as many as would take 40 ms by what the last one took, and at most twice as many as
 * that.
 */
const createPartSize = () => {
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

/** What an item costs is much the same from call to call: a part has the size that fitted the last time. */
const partSizes = new WeakMap<object, ReturnType<typeof createPartSize>>()

/** How many items of this work the next part has: what was learnt of the work stays known. */
export const partSizeOf = (work: object): ReturnType<typeof createPartSize> => {
  const size = partSizes.get(work) ?? createPartSize()
  partSizes.set(work, size)
  return size
}

/**
 * Does synchronous work on each item, with turns of the event loop in between and each item within its budget of CPU.
 * Answers in order; for an item that uses up its budget, the error that says so. Any other throw is the caller's.
 * `work` may run twice for an item.
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
