import { Session } from 'node:inspector'
import type { Worker } from 'node:worker_threads'
import type { Logger } from '../../runtime/logger.ts'
import { timerMs } from '../../runtime/timers.ts'
import { cancelExpression, clockOn, type ExchangeClock } from './exchange-clock.ts'

interface AttachedToWorker {
  readonly params: { readonly sessionId: string; readonly workerInfo: { readonly title: string } }
}

/**
 * Evaluates an expression in another thread at once, in the middle of its work. WebAssembly in a loop reads no
 * messages, but V8's inspector interrupts it; no port is opened. Resolves when the request was sent; the caller checks
 * its effect.
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
      // `sessionId` counts sessions; the thread's id is in the title, before its name.
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
  /** The memory of the thread's `ExchangeClock`. */
  readonly clock: SharedArrayBuffer
  readonly logger: Logger
  /** Called, perhaps repeatedly, when a restart is likely. */
  readonly prepare: () => void
  /** Replaces the thread: the statement did not end by a cancel. */
  readonly restart: () => void
  readonly watch?: Watch | undefined
}

/**
 * Ends statements of the engine's thread that are past their limit, until `stop`. Call in the thread that started the
 * engine's.
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

/** The interval of checks, and the time for an exchange to end after a cancel, ms. */
export interface Watch {
  readonly intervalMs: number
  readonly graceMs: number
}

const DEFAULTS: Watch = { intervalMs: 100, graceMs: 1_000 }

interface WatchdogOptions {
  readonly clock: Pick<ExchangeClock, 'underWay'>
  /** Asks the engine to end the statement, as PostgreSQL does at a timeout. */
  readonly cancel: (exchange: bigint) => void
  /** The exchange did not end at once: `giveUp` may follow. Called repeatedly. */
  readonly prepare: () => void
  /** The exchange did not end. Nothing is watched any more. */
  readonly giveUp: () => void
  readonly watch?: Watch
}

/**
 * Watches the engine from another thread. PostgreSQL's own timers are signals, which WebAssembly lacks: no
 * `statement_timeout` would end a statement. An exchange is running, cancelled (past its limit) or given up (`graceMs`
 * after the cancel).
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
