import type { ExchangeClock } from './exchange-clock.ts'

/** How often it is looked, and how long an exchange has to end once it was asked to. */
export interface Watch {
  readonly everyMs: number
  readonly patienceMs: number
}

const DEFAULTS: Watch = { everyMs: 100, patienceMs: 1_000 }

export interface WatchdogOptions {
  readonly clock: Pick<ExchangeClock, 'underWay'>
  /** Asks the engine to end the statement, as PostgreSQL ends one that took too long. */
  readonly cancel: (exchange: bigint) => void
  /** It did not end at once: giving it up may be next. Called more than once. */
  readonly prepare: () => void
  /** It did not end. Nothing is watched any more. */
  readonly giveUp: () => void
  readonly watch?: Watch
}

/**
 * Looks after the engine from another thread: PostgreSQL's own timers are signals, which WebAssembly has none of, so no `statement_timeout` would
 * ever end a statement. An exchange past its limit is asked to end; one that does not is given up.
 */
export const startWatchdog = ({
  clock,
  cancel,
  prepare,
  giveUp,
  watch = DEFAULTS,
}: WatchdogOptions): { stop(): void } => {
  let asked: { readonly number: bigint; readonly overdueMs: number } | null = null
  const look = () => {
    const now = clock.underWay()
    if (now === null || now.overdueMs < 0) return
    if (asked?.number !== now.number) {
      asked = now
      cancel(now.number)
      return
    }
    prepare()
    if (now.overdueMs - asked.overdueMs < watch.patienceMs) return
    clearInterval(timer)
    giveUp()
  }
  const timer = setInterval(look, watch.everyMs)
  return { stop: () => clearInterval(timer) }
}
