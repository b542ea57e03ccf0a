import { setImmediate } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { isAssayError } from '../../runtime/errors.ts'
import { storageError } from '../../runtime/storage-errors.ts'
import { openDatabase } from './database.ts'
import { createEngine } from './engine.ts'
import { createSessions, MISSED_HEARTBEATS } from './sessions.ts'
import type { FromThread, ThreadOptions, ToThread } from './thread-messages.ts'

/** The log's own thread: the only one that touches the file. Everybody else has a port to it. */

const tell = (message: FromThread): void => parentPort?.postMessage(message)
const report = (error: unknown): void => tell({ kind: 'report', message: String(error) })

const start = async (options: ThreadOptions): Promise<void> => {
  const { directory, retentionSweepMs, sessionTimeoutMs, rebalanceTimeoutMs } = options
  const heartbeatMs = sessionTimeoutMs / MISSED_HEARTBEATS
  const engine = createEngine({ database: openDatabase(directory), directory, rebalanceTimeoutMs, heartbeatMs, report })
  const sessions = createSessions(engine, heartbeatMs, report)
  await engine.retention.start()

  let sweeping: Promise<void> | null = null
  const sweep = (): void => {
    sweeping ??= engine.retention
      .sweep()
      .catch(report)
      .finally(() => {
        sweeping = null
      })
  }
  const sweeps = setInterval(sweep, retentionSweepMs)

  const stop = async (): Promise<void> => {
    clearInterval(sweeps)
    await sweeping
    engine.flush()
    // The replies to what was stored just now go out before the ports close.
    await setImmediate()
    sessions.close()
    engine.close()
    parentPort?.close()
  }

  parentPort?.on('message', (message: ToThread) => {
    if (message.kind === 'connect') sessions.accept(message.port)
    else void stop()
  })
  tell({ kind: 'ready' })
}

// What starts this thread passes nothing else.
const options = workerData as ThreadOptions
start(options).catch(error => {
  const { code, publicMessage } = isAssayError(error) ? error : storageError(error, options.directory)
  tell({ kind: 'refused', code, message: publicMessage })
})
