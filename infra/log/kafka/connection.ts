import { connect } from 'node:tls'
import type { Cluster, ISocketFactory, Kafka, LogEntry, SASLOptions } from 'kafkajs'
import kafkajs from 'kafkajs'
import { AssayError } from '../../runtime/errors.ts'
import type { Logger } from '../../runtime/logger.ts'
import { toAssayError } from './errors.ts'
import { restWhileIdle } from './request-queue.ts'

interface SaslOptions {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'
  readonly username: string
  readonly password: string
}

/** Apart from the logger and the tests' socket factory these are plain values, fit to be handed to another thread. */
export interface KafkaConnectionOptions {
  /** Brokers to begin with, `host:port`; they tell the others. */
  readonly brokers: readonly string[]
  /** How the brokers' own logs and quotas name this program. */
  readonly clientId: string
  readonly logger: Logger
  /** Speak TLS with the brokers. */
  readonly tls?: boolean
  /** With TLS: the certificate by which the brokers know this program, and its key, in PEM. */
  readonly certificate?: { readonly cert: string; readonly key: string }
  /** Sign in with SASL; plain sends the password as it is, so only with TLS. */
  readonly sasl?: SaslOptions
  /** How often a failed request is tried again; for tests that want an answer soon. */
  readonly attempts?: number
  /** Opens the connections; for tests that cut the line. */
  readonly socketFactory?: ISocketFactory
}

restWhileIdle()

/** Tries for about four seconds: an edge that waits answers 503 soon, everybody else tries again. */
const RETRY = { retries: 5, initialRetryTime: 100, maxRetryTime: 2000 }

/**
 * A client of its own. Consumers must not share one: kafkajs keeps the committed offsets of a group with the client, so
 * that two members of a group would overwrite each other's.
 */
export const createKafka = (options: KafkaConnectionOptions): Kafka => {
  const { brokers, clientId, logger, tls, certificate, attempts, socketFactory } = options
  const sasl: SASLOptions | undefined = options.sasl
  return new kafkajs.Kafka({
    brokers: [...brokers],
    clientId,
    connectionTimeout: 3000,
    requestTimeout: 15_000,
    retry: attempts === undefined ? RETRY : { ...RETRY, retries: attempts },
    logLevel: kafkajs.logLevel.WARN,
    logCreator: () => entry => report(logger, entry),
    ...(tls === undefined ? {} : { ssl: tls && (certificate ?? true) }),
    ...(sasl === undefined ? {} : { sasl }),
    ...(socketFactory === undefined ? {} : { socketFactory }),
  })
}

/** kafkajs calls each attempt that fails an error. What comes of it the adapter reports itself. */
const report = (logger: Logger, { namespace, log }: LogEntry): void => {
  const { message, groupId, broker, retryCount } = log
  logger.debug({ from: `kafkajs ${namespace}`, reason: message, group: groupId, broker, retryCount }, 'Kafka client')
}

/**
 * kafkajs' cluster, which speaks the protocol itself: for what its clients have no call for. Connects; `close` ends the
 * connection.
 */
export const openCluster = async (kafka: Kafka): Promise<{ readonly cluster: Cluster; close(): Promise<void> }> => {
  /** kafkajs shows its cluster to partition assigners only; this consumer never runs. */
  const captured: { cluster?: Cluster } = {}
  const consumer = kafka.consumer({
    groupId: 'peek',
    allowAutoTopicCreation: false,
    partitionAssigners: [
      ({ cluster }) => {
        captured.cluster = cluster
        return {
          name: 'none',
          version: 0,
          protocol: () => ({ name: 'none', metadata: Buffer.alloc(0) }),
          assign: async () => [],
        }
      },
    ],
  })
  await consumer.connect()
  const { cluster } = captured
  if (cluster === undefined) throw new Error('kafkajs creates its partition assigners with the consumer.')
  return { cluster, close: () => consumer.disconnect() }
}

/** Who listens at an address: `secure` answers a TLS hello, `plain` does not; null when nobody does. */
type Listener = { readonly kind: 'plain' } | { readonly kind: 'secure'; readonly isTrusted: boolean } | null

const PROBE_TIMEOUT_MS = 2000

const listenerAt = (broker: string): Promise<Listener> =>
  new Promise(resolve => {
    const [, host = '', port = ''] = /^\[?(.+?)\]?:(\d+)$/.exec(broker) ?? []
    // Only whether it is trusted is asked; nothing is sent.
    const socket = connect({ host, port: Number(port), rejectUnauthorized: false, timeout: PROBE_TIMEOUT_MS })
    let isConnected = false
    const end = (listener: Listener): void => {
      socket.destroy()
      resolve(listener)
    }
    socket.on('connect', () => {
      isConnected = true
    })
    socket.on('secureConnect', () => end({ kind: 'secure', isTrusted: socket.authorized }))
    socket.on('timeout', () => end(null))
    // An alert is an answer in TLS: it does not agree on how, or wants to know who comes.
    socket.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
      if (code.includes('ALERT')) end({ kind: 'secure', isTrusted: true })
      else end(isConnected ? { kind: 'plain' } : null)
    })
    socket.on('close', () => end(isConnected ? { kind: 'plain' } : null))
  })

const mistakeOf = (listener: NonNullable<Listener>, tls: boolean): string | null => {
  if (!tls) return listener.kind === 'secure' ? 'its brokers expect TLS at this port. Set KAFKA_TLS=true' : null
  if (listener.kind === 'plain')
    return 'its brokers speak no TLS at this port. Leave KAFKA_TLS out, or take another port'
  if (listener.isTrusted) return null
  return 'the certificate of its brokers is not one that is trusted here. NODE_EXTRA_CA_CERTS names a file with the certificate of your own authority'
}

/** The error of a connection that did not come about; where TLS is what differs, it says so. */
export const withTlsAdvice = async (
  error: unknown,
  { brokers, tls = false }: { readonly brokers: readonly string[]; readonly tls?: boolean | undefined },
): Promise<AssayError> => {
  const translated = toAssayError(error)
  const [first] = brokers
  if (translated.code !== 'unavailable' || first === undefined) return translated
  const listener = await listenerAt(first)
  const mistake = listener && mistakeOf(listener, tls)
  return mistake === null
    ? translated
    : new AssayError('unavailable', `The log cannot be reached: ${mistake}.`, { cause: error })
}
