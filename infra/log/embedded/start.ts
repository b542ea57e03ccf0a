import { mkdir } from 'node:fs/promises'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { AvroSchema } from '../../../schemas/events/avro.ts'
import { AssayError, storageError } from '../../runtime/errors.ts'
import type { Logger } from '../../runtime/logger.ts'
import { started } from '../../runtime/threads.ts'
import { timerMs } from '../../runtime/timers.ts'
import type { Consumer, Log, SchemaRegistry } from '../port.ts'
import { type Connection, openConnection } from './connection.ts'
import { startConsumer } from './consumer.ts'
import { type FromThread, packValues, type ThreadOptions, type ToThread } from './protocol.ts'

/** The embedded log also keeps the schemas of its records. */
interface EmbeddedLog extends Log {
  readonly registry: SchemaRegistry
}

interface ClientOptions {
  /** Gets the errors of consumers. */
  readonly logger?: Pick<Logger, 'error'>
}

const PING_TIMEOUT_MS = 5000

/**
 * A client of the log behind the port. Each thread needs a port of its own.
 *
 * @example const log = connectEmbeddedLog(workerData.logPort, { logger })
 */
export const connectEmbeddedLog = (port: MessagePort, { logger }: ClientOptions = {}): EmbeddedLog => {
  const connection = openConnection(port)
  const consumers = new Set<Consumer>()
  let heartbeat: NodeJS.Timeout | null = null

  const beat = (): void => {
    if (connection.hasMembers()) connection.call('heartbeat', null).catch(() => {})
  }

  return {
    async ensureTopics(topics) {
      await connection.call('ensure_topics', topics)
    },

    topics: () => connection.call('topics', null),

    async append(records) {
      if (records.length === 0) return
      const heads = records.map(({ topic, key, headers = {} }) => ({ topic, key, headers: JSON.stringify(headers) }))
      const packed = packValues(records.map(record => record.value))
      await connection.call('append', { heads, ...packed }, [packed.bytes.buffer])
    },

    async consume(options) {
      const consumer = await startConsumer(connection, options, logger)
      consumers.add(consumer)
      heartbeat ??= setInterval(beat, timerMs(consumer.heartbeatMs)).unref()
      return {
        ...consumer,
        async stop() {
          await consumer.stop()
          consumers.delete(consumer)
        },
      }
    },

    lag: group => connection.call('lag', { group }),

    async ping() {
      const timeout = new AbortController()
      const late = new Promise<never>((_resolve, reject) => {
        const error = new AssayError('unavailable', 'The log did not answer in time.')
        const timer = setTimeout(() => reject(error), PING_TIMEOUT_MS)
        timeout.signal.addEventListener('abort', () => clearTimeout(timer))
      })
      await Promise.race([connection.call('ping', null), late]).finally(() => timeout.abort())
    },

    async close() {
      await Promise.all([...consumers].map(consumer => consumer.stop()))
      if (heartbeat !== null) clearInterval(heartbeat)
      await connection.close()
    },

    registry: registryOver(connection),
  }
}

const registryOver = (connection: Connection): SchemaRegistry => ({
  register: (subject, schema) => connection.call('register_schema', { subject, schema: JSON.stringify(schema) }),
  idsOf: subject => connection.call('schema_ids', { subject }),
  // The registry returns only what `register` stored.
  schemaById: async id => JSON.parse(await connection.call('schema_by_id', { id })) as AvroSchema,
})

export interface EmbeddedLogOptions {
  /** The directory of the log's file, created when missing. One log uses it at a time. */
  readonly directory: string
  readonly logger?: Pick<Logger, 'error' | 'warn'>
  /** Interval between removals of records past their topic's retention, ms. Default one minute. */
  readonly retentionSweepMs?: number
  /** A consumer that is silent for this long loses its partitions, ms. Default 30 s. */
  readonly sessionTimeoutMs?: number
  /** How long a handler may take to finish when its partition is taken away, ms. Default 30 s. */
  readonly rebalanceTimeoutMs?: number
}

export interface RunningEmbeddedLog {
  readonly log: EmbeddedLog
  /** A new connection's port, to be transferred to another thread, which passes it to `connectEmbeddedLog`. */
  connect(): MessagePort
  /** A connection for copying the files with the `copy_` calls. The caller closes it. */
  openCopy(): Pick<ReturnType<typeof openConnection>, 'call' | 'close'>
  /** Closes `log`, stores pending writes and ends the thread. Other clients get `unavailable`. */
  stop(): Promise<void>
}

/** Logged once, when writes begin to fail. */
const REFUSED =
  'The log can store nothing. What it has accepted is kept; senders are answered 503 and repeat. It tries again by itself: no restart is needed.'
/**
 * Starts the log on a thread of its own. Rejects with `already_running` when another process uses the directory. A
 * failure of the thread is an uncaught error on purpose: the process ends and can be restarted, since a program cannot
 * work without its log, and no acknowledged record is lost.
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
    if (message.kind !== 'refusal') return
    if (message.reason === null) logger?.warn('The log stores again.')
    else logger?.error({ reason: `${directory}: ${message.reason}.` }, REFUSED)
  })

  const postToThread = (message: ToThread, transfer: readonly MessagePort[] = []): void =>
    worker.postMessage(message, transfer)
  const connect = (): MessagePort => {
    const { port1, port2 } = new MessageChannel()
    postToThread({ kind: 'connect', port: port1 }, [port1])
    return port2
  }
  const log = connectEmbeddedLog(connect(), logger === undefined ? {} : { logger })

  return {
    log,
    connect,
    openCopy: () => openConnection(connect()),
    async stop() {
      await log.close()
      postToThread({ kind: 'stop' })
      await ended
    },
  }
}
