import type { Worker } from 'node:worker_threads'
import type { Logger } from '../../runtime/logger.ts'
import { cancelExpression } from './cancelling.ts'
import { clockOn } from './exchange-clock.ts'
import { interruptThread } from './interrupt-thread.ts'
import { startWatchdog, type Watch } from './watchdog.ts'

export type { Watch } from './watchdog.ts'

export interface WatchThreadOptions {
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

/** Ends the statements of the engine's thread that are past their limit, until it is stopped. To be called by the thread that started the engine's. */
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
