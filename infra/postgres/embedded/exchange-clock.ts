import type { Engine } from './engine.ts'

/**
 * What the engine's thread does now, where another thread can see it while the engine blocks its own: which exchange is
 * under way, and until when it may be. Times are those of the process's monotonic clock, in nanoseconds, which is one
 * for all threads.
 */
export interface ExchangeClock {
  /** Notes that an exchange begins, which may take so long; answers its number. */
  begin(limitMs: number): bigint
  end(): void
  /** The exchange that is under way; null when none is. */
  underWay(): { readonly number: bigint; readonly overdueMs: number } | null
}

const NUMBER = 0
const DEADLINE = 1
const LAST = 2
const NS_PER_MS = 1_000_000n

export const newClockMemory = (): SharedArrayBuffer => new SharedArrayBuffer(3 * BigInt64Array.BYTES_PER_ELEMENT)

export const clockOn = (memory: SharedArrayBuffer): ExchangeClock => {
  const cells = new BigInt64Array(memory)
  return {
    begin(limitMs) {
      const number = Atomics.add(cells, LAST, 1n) + 1n
      // The deadline first: who sees the number sees the deadline that belongs to it, or a later one.
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

/** What the interrupt of another thread finds in the engine's thread. */
const NAME = '__assayCancelExchange'

/** The expression by which an exchange is asked to end: see `interruptThread`. */
export const cancelExpression = (exchange: bigint): string => `globalThis.${NAME}(${exchange}n)`

/**
 * Lets the exchange that is under way be asked to end. One that has ended meanwhile is not mistaken for the next:
 * interrupts run in this thread.
 */
export const allowCancelling = (engine: Pick<Engine, 'cancel'>, clock: Pick<ExchangeClock, 'underWay'>): void => {
  const cancel = (exchange: bigint) => {
    if (clock.underWay()?.number === exchange) engine.cancel()
  }
  Object.defineProperty(globalThis, NAME, { value: cancel })
}
