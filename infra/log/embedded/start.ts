import { mkdir } from 'node:fs/promises'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { storageError } from '../../runtime/errors.ts'
import type { Logger } from '../../runtime/logger.ts'
import { started } from '../../runtime/threads.ts'
import { connectEmbeddedLog, type EmbeddedLog } from './client.ts'
import { openConnection } from './connection.ts'
import type { FromThread, ThreadOptions, ToThread } from './protocol.ts'

export interface EmbeddedLogOptions {
  /** Where the log's file lives; made when it is missing. One log has it at a time. */
  readonly directory: string
  readonly logger?: Pick<Logger, 'error'>
  /** How often records that are past their topic's retention are removed. Default one minute. */
  readonly retentionSweepMs?: number
  /** A consumer that nobody hears of for this long loses its partitions. Default 30 s. */
  readonly sessionTimeoutMs?: number
  /** How long a handler may finish what it is at when its partition is taken away. Default 30 s. */
  readonly rebalanceTimeoutMs?: number
}

export interface RunningEmbeddedLog {
  readonly log: EmbeddedLog
  /** The end of a new connection, to transfer to another thread, which gives it to `connectEmbeddedLog`. */
  connect(): MessagePort
  /** A connection for whoever copies the files: the `copy_` calls. Close it. */
  openCopy(): Pick<ReturnType<typeof openConnection>, 'call' | 'close'>
  /** Closes `log`, stores what is under way and ends the thread. Clients that are left get `unavailable`. */
  stop(): Promise<void>
}

/**
 * Starts the log on a thread of its own. Rejects with `already_running` when another process has the directory. A
 * failure of the thread is thrown where nobody catches it, so that the process ends and can be started again: a program
 * without its log can do nothing, and nothing that was acknowledged is lost.
 */
export const startEmbeddedLog = async (options: EmbeddedLogOptions): Promise<RunningEmbeddedLog> => {
  const {
    directory,
    logger,
    retentionSweepMs = 60_000,
    sessionTimeoutMs = 30_000,
    rebalanceTimeoutMs = 30_000,
  } = options
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch(error => {
    throw storageError(error, directory)
  })
  const workerData: ThreadOptions = { directory, retentionSweepMs, sessionTimeoutMs, rebalanceTimeoutMs }
  const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData, name: 'log' })
  const ended = new Promise<void>(resolve => worker.once('exit', () => resolve()))
  await started(worker)
  worker.on('message', (message: FromThread) => {
    if (message.kind === 'report') logger?.error({ reason: message.message }, 'The log failed at something.')
  })

  const tell = (message: ToThread, transfer: readonly MessagePort[] = []): void => worker.postMessage(message, transfer)
  const connect = (): MessagePort => {
    const { port1, port2 } = new MessageChannel()
    tell({ kind: 'connect', port: port1 }, [port1])
    return port2
  }
  const log = connectEmbeddedLog(connect(), logger === undefined ? {} : { logger })

  return {
    log,
    connect,
    openCopy: () => openConnection(connect()),
    async stop() {
      await log.close()
      tell({ kind: 'stop' })
      await ended
    },
  }
}
