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

/** The embedded log keeps the schemas of its records, too. */
interface EmbeddedLog extends Log {
  readonly registry: SchemaRegistry
}

interface ClientOptions {
  /** Gets what goes wrong while consuming. */
  readonly logger?: Pick<Logger, 'error'>
}

const PING_TIMEOUT_MS = 5000

/** A client of the log that runs behind the port: on any thread, each with a port of its own. */
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
  // The registry holds nothing but what `register` was given.
  schemaById: async id => JSON.parse(await connection.call('schema_by_id', { id })) as AvroSchema,
})

export interface EmbeddedLogOptions {
  /** Where the log's file lives; made when it is missing. One log has it at a time. */
  readonly directory: string
  readonly logger?: Pick<Logger, 'error' | 'warn'>
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

/** Said once, when it begins. */
const REFUSED =
  'The log can store nothing. What it has accepted is kept; senders are answered 503 and repeat. It tries again by itself: no restart is needed.'
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
