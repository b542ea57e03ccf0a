import { Session } from 'node:inspector'
import type { Worker } from 'node:worker_threads'
import type { Logger } from '../../runtime/logger.ts'
import { timerMs } from '../../runtime/timers.ts'
import { cancelExpression, clockOn, type ExchangeClock } from './exchange-clock.ts'

interface AttachedToWorker {
  readonly params: { readonly sessionId: string; readonly workerInfo: { readonly title: string } }
}

/**
 * Has a thread of this one evaluate an expression now, in the middle of what it does: WebAssembly that runs in a loop
 * answers no message, but the engine's interrupts are looked at in every loop. V8's inspector raises one, within the
 * process; no port is opened. Resolves when the request is under way; the caller sees by itself what came of it.
 */
const interruptThread = (worker: Worker, expression: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const session = new Session()
    const request = JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } })
    const end = (error: Error | null) => {
      clearTimeout(timeout)
      session.disconnect()
      if (error === null) resolve()
      else reject(error)
    }
    const timeout = setTimeout(() => end(new Error('the thread did not take the interrupt')), INTERRUPT_TIMEOUT_MS)
    session.connect()
    session.on('NodeWorker.attachedToWorker', ({ params: { sessionId, workerInfo } }: AttachedToWorker) => {
      // The id in it counts what this session has met; the thread's own is in its title, before its name.
      if (!workerInfo.title.startsWith(`[worker ${worker.threadId}]`)) return
      session.post('NodeWorker.sendMessageToWorker', { sessionId, message: request })
    })
    session.on('NodeWorker.receivedMessageFromWorker', () => end(null))
    session.post('NodeWorker.enable', { waitForDebuggerOnStart: false }, error => {
      if (error !== null) end(error)
    })
  })

const INTERRUPT_TIMEOUT_MS = 2_000

interface WatchThreadOptions {
  readonly worker: Worker
  /** The memory of its `ExchangeClock`. */
  readonly clock: SharedArrayBuffer
  readonly logger: Logger
  /** A restart may be next. Called more than once. */
  readonly prepare: () => void
  /** Starts the thread anew: nothing milder has ended its statement. */
  readonly restart: () => void
  readonly watch?: Watch | undefined
}

/**
 * Ends the statements of the engine's thread that are past their limit, until it is stopped. To be called by the thread
 * that started the engine's.
 */
export const watchThread = ({ worker, clock, logger, prepare, restart, watch }: WatchThreadOptions): { stop(): void } =>
  startWatchdog({
    clock: clockOn(clock),
    cancel: exchange => {
      logger.warn('a statement is past its limit: the embedded database ends it')
      interruptThread(worker, cancelExpression(exchange)).catch(error =>
        logger.warn({ err: error }, 'the embedded database could not be interrupted'),
      )
    },
    prepare,
    giveUp: () => {
      logger.warn('a statement does not end: the embedded database is started again, and connections to it are lost')
      restart()
    },
    ...(watch && { watch }),
  })

/** How often it is looked, and how long an exchange has to end once it was asked to. */
export interface Watch {
  readonly intervalMs: number
  readonly graceMs: number
}

const DEFAULTS: Watch = { intervalMs: 100, graceMs: 1_000 }

interface WatchdogOptions {
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
 * Looks after the engine from another thread: PostgreSQL's own timers are signals, which WebAssembly has none of, so no
 * `statement_timeout` would ever end a statement. An exchange past its limit is asked to end; one that does not is
 * given up.
 */
const startWatchdog = ({ clock, cancel, prepare, giveUp, watch = DEFAULTS }: WatchdogOptions): { stop(): void } => {
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
  const timer = setInterval(look, timerMs(watch.intervalMs))
  return { stop: () => clearInterval(timer) }
}
