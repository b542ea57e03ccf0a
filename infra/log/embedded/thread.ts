import { setImmediate } from 'node:timers/promises'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { asAssayError, isAssayError, storageError, storageReason } from '../../runtime/errors.ts'
import { timerMs } from '../../runtime/timers.ts'
import { openDatabase } from './database.ts'
import { createEngine, type Engine } from './engine.ts'
import type { Connection } from './groups.ts'
import type { CallMessage, FromThread, ReplyMessage, ThreadOptions, ToThread } from './protocol.ts'

interface Session {
  readonly port: MessagePort
  readonly connection: Connection
  /** Checks since the client's last message. */
  silent: number
}

/** A client counts as dead after this many missing heartbeats. */
const MISSED_HEARTBEATS = 3

/** The clients: answers their calls, and notices clients that end or stay silent. */
const createSessions = (engine: Engine, heartbeatMs: number, report: (error: unknown) => void) => {
  const sessions = new Set<Session>()

  const answer = async ({ port, connection }: Session, { id, call, request }: CallMessage): Promise<void> => {
    const reply = (message: ReplyMessage, transfer: readonly ArrayBuffer[] = []): void =>
      port.postMessage(message, transfer)
    try {
      const result = await engine.handle(call, request, connection)
      const isPacked = result !== null && typeof result === 'object' && 'bytes' in result
      reply({ id, reply: result }, isPacked ? [result.bytes.buffer] : [])
    } catch (error) {
      if (!isAssayError(error)) report(error)
      const { code, publicMessage: message } = asAssayError(error)
      reply({ id, error: { code, message } })
    }
  }

  // Counts checks, not time: after a pause of this thread or machine no client counts as silent.
  const look = (): void => {
    for (const session of sessions) {
      session.silent += 1
      if (session.silent > MISSED_HEARTBEATS) engine.groups.expel(session.connection)
    }
  }
  const timer = setInterval(look, timerMs(heartbeatMs))

  return {
    accept(port: MessagePort): void {
      let open = true
      const connection: Connection = { notify: notice => port.postMessage(notice), isOpen: () => open }
      const session: Session = { port, connection, silent: 0 }
      sessions.add(session)
      port.on('message', (message: CallMessage) => {
        session.silent = 0
        void answer(session, message)
      })
      port.once('close', () => {
        open = false
        sessions.delete(session)
        engine.groups.drop(connection)
      })
    },

    close(): void {
      clearInterval(timer)
      for (const { port } of sessions) port.close()
    },
  }
}

/** The log's own thread, the only one that touches the file. Other threads reach it through ports. */

const postToOwner = (message: FromThread): void => parentPort?.postMessage(message)
const report = (error: unknown): void => postToOwner({ kind: 'report', message: String(error) })
const onRefusal = (reason: string | null): void => postToOwner({ kind: 'refusal', reason })

const start = async (options: ThreadOptions): Promise<void> => {
  const { directory, retentionSweepMs, sessionTimeoutMs, rebalanceTimeoutMs } = options
  const heartbeatMs = sessionTimeoutMs / MISSED_HEARTBEATS
  const database = openDatabase(directory)
  const engine = createEngine({ database, directory, rebalanceTimeoutMs, heartbeatMs, report, onRefusal })
  const sessions = createSessions(engine, heartbeatMs, report)
  await engine.retention.start()

  let sweeping: Promise<void> | null = null
  const sweep = (): void => {
    sweeping ??= engine.retention
      .sweep()
      // The disk's refusal was reported when it began.
      .catch(error => {
        if (!isAssayError(error) && storageReason(error) === undefined) report(error)
      })
      .finally(() => {
        sweeping = null
      })
  }
  const sweeps = setInterval(sweep, timerMs(retentionSweepMs))

  const stop = async (): Promise<void> => {
    clearInterval(sweeps)
    await sweeping
    engine.flush()
    // Lets the replies to the last writes leave before the ports close.
    await setImmediate()
    sessions.close()
    engine.close()
    parentPort?.close()
  }

  parentPort?.on('message', (message: ToThread) => {
    if (message.kind === 'connect') sessions.accept(message.port)
    else void stop()
  })
  postToOwner({ kind: 'ready' })
}

// The starter of this thread passes exactly these options.
const options = workerData as ThreadOptions
start(options).catch(error => {
  const { code, publicMessage } = isAssayError(error) ? error : storageError(error, options.directory)
  postToOwner({ kind: 'refused', code, message: publicMessage })
})
