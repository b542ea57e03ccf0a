import type { Engine } from './engine.ts'
import type { ExchangeClock } from './exchange-clock.ts'

/** What the interrupt of another thread finds in the engine's thread. */
const NAME = '__assayCancelExchange'

/** The expression by which an exchange is asked to end: see `interruptThread`. */
export const cancelExpression = (exchange: bigint): string => `globalThis.${NAME}(${exchange}n)`

/** Lets the exchange that is under way be asked to end. One that has ended meanwhile is not mistaken for the next: interrupts run in this thread. */
export const allowCancelling = (engine: Pick<Engine, 'cancel'>, clock: Pick<ExchangeClock, 'underWay'>): void => {
  const cancel = (exchange: bigint) => {
    if (clock.underWay()?.number === exchange) engine.cancel()
  }
  Object.defineProperty(globalThis, NAME, { value: cancel })
}
