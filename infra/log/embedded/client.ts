import type { MessagePort } from 'node:worker_threads'
import type { AvroSchema } from '../../../schemas/events/avro.ts'
import { AssayError } from '../../runtime/errors.ts'
import type { Logger } from '../../runtime/logger.ts'
import type { Consumer, Log, SchemaRegistry } from '../port.ts'
import { type Connection, openConnection } from './connection.ts'
import { startConsumer } from './consumer.ts'
import { packValues } from './protocol.ts'

/** The embedded log keeps the schemas of its records, too. */
export interface EmbeddedLog extends Log {
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

    async append(records) {
      if (records.length === 0) return
      const heads = records.map(({ topic, key, headers = {} }) => ({ topic, key, headers: JSON.stringify(headers) }))
      const packed = packValues(records.map(record => record.value))
      await connection.call('append', { heads, ...packed }, [packed.bytes.buffer])
    },

    async consume(options) {
      const consumer = await startConsumer(connection, options, logger)
      consumers.add(consumer)
      heartbeat ??= setInterval(beat, consumer.heartbeatMs).unref()
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
