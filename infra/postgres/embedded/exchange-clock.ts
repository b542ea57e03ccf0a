import type { Engine } from './engine.ts'

/**
 * Shows other threads the exchange that the engine is working on, and its deadline, while the engine blocks its own
 * thread. Times are nanoseconds of the process' monotonic clock, which all threads share.
 */
export interface ExchangeClock {
  /** Notes the start of an exchange with its time limit. Returns its number. */
  begin(limitMs: number): bigint
  end(): void
  /** The exchange under way; null when there is none. */
  underWay(): { readonly number: bigint; readonly overdueMs: number } | null
}

const NUMBER = 0
const DEADLINE = 1
const LAST = 2
const NS_PER_MS = 1_000_000n

/** The memory of a clock, to be shared between threads. */
export const newClockMemory = (): SharedArrayBuffer => new SharedArrayBuffer(3 * BigInt64Array.BYTES_PER_ELEMENT)

export const clockOn = (memory: SharedArrayBuffer): ExchangeClock => {
  const cells = new BigInt64Array(memory)
  return {
    begin(limitMs) {
      const number = Atomics.add(cells, LAST, 1n) + 1n
      // The deadline is stored first: a reader of the number then sees its deadline, or a later one.
      Atomics.store(cells, DEADLINE, process.hrtime.bigint() + BigInt(Math.ceil(limitMs)) * NS_PER_MS)
      Atomics.store(cells, NUMBER, number)
      return number
    },
    end() {
      Atomics.store(cells, NUMBER, 0n)
    },
    underWay() {
      const number = Atomics.load(cells, NUMBER)
      if (number === 0n) return null
      const deadline = Atomics.load(cells, DEADLINE)
      return { number, overdueMs: Number((process.hrtime.bigint() - deadline) / NS_PER_MS) }
    },
  }
}

/** The global function of the engine's thread that the interrupt calls. */
const NAME = '__assayCancelExchange'

/** The expression that cancels an exchange; see `interruptThread`. */
export const cancelExpression = (exchange: bigint): string => `globalThis.${NAME}(${exchange}n)`

/**
 * Installs the function that cancels the exchange under way. A late call cannot hit the next exchange, since interrupts
 * run in this thread.
 */
export const allowCancelling = (engine: Pick<Engine, 'cancel'>, clock: Pick<ExchangeClock, 'underWay'>): void => {
  const cancel = (exchange: bigint) => {
    if (clock.underWay()?.number === exchange) engine.cancel()
  }
  Object.defineProperty(globalThis, NAME, { value: cancel })
}
