import type { ExchangeClock } from './exchange-clock.ts'

/** How often it is looked, and how long an exchange has to end once it was asked to. */
export interface Watch {
  readonly intervalMs: number
  readonly graceMs: number
}

const DEFAULTS: Watch = { intervalMs: 100, graceMs: 1_000 }

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
  let interrupted: { readonly number: bigint; readonly overdueMs: number } | null = null
  const look = () => {
    const now = clock.underWay()
    if (now === null || now.overdueMs < 0) return
    if (interrupted?.number !== now.number) {
      interrupted = now
      cancel(now.number)
      return
    }
    prepare()
    if (now.overdueMs - interrupted.overdueMs < watch.graceMs) return
    clearInterval(timer)
    giveUp()
  }
  const timer = setInterval(look, watch.intervalMs)
  return { stop: () => clearInterval(timer) }
}
