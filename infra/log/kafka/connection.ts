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

/** Plain values that can be passed to another thread, except for the logger and the socket factory. */
export interface KafkaConnectionOptions {
  /** The first brokers to contact, `host:port`; they name the others. */
  readonly brokers: readonly string[]
  /** The program's name in the brokers' logs and quotas. */
  readonly clientId: string
  readonly logger: Logger
  /** Use TLS. */
  readonly tls?: boolean
  /** Client certificate and key in PEM, for TLS. */
  readonly certificate?: { readonly cert: string; readonly key: string }
  /** Sign in with SASL. `plain` sends the password in clear, hence only with TLS. */
  readonly sasl?: SaslOptions
  /** Number of retries of a failed request; tests set few. */
  readonly attempts?: number
  /** Opens the connections; tests use it to cut them. */
  readonly socketFactory?: ISocketFactory
}

restWhileIdle()

/** Retries for about four seconds: a waiting edge must answer 503 soon, other callers repeat. */
const RETRY = { retries: 5, initialRetryTime: 100, maxRetryTime: 2000 }

/**
 * A Kafka client for one user. Consumers must not share a client: kafkajs keeps a group's committed offsets with the
 * client, and two members of a group would overwrite each other's.
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

/** kafkajs logs each failed attempt as an error. The adapter reports the outcome itself, hence level debug here. */
const report = (logger: Logger, { namespace, log }: LogEntry): void => {
  const { message, groupId, broker, retryCount } = log
  logger.debug({ from: `kafkajs ${namespace}`, reason: message, group: groupId, broker, retryCount }, 'Kafka client')
}

/**
 * kafkajs' cluster, which can send any request of the protocol, including those that kafkajs' clients lack. Connects;
 * `close` ends the connection.
 */
export const openCluster = async (kafka: Kafka): Promise<{ readonly cluster: Cluster; close(): Promise<void> }> => {
  /** kafkajs passes its cluster only to partition assigners. This consumer never runs. */
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

/** The listener at an address: `secure` answers a TLS hello, `plain` does not; null when nothing listens. */
type Listener = { readonly kind: 'plain' } | { readonly kind: 'secure'; readonly isTrusted: boolean } | null

const PROBE_TIMEOUT_MS = 2000

const listenerAt = (broker: string): Promise<Listener> =>
  new Promise(resolve => {
    const [, host = '', port = ''] = /^\[?(.+?)\]?:(\d+)$/.exec(broker) ?? []
    // Only tests whether the certificate is trusted; sends no data.
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
    // A TLS alert proves TLS: the broker refuses the parameters, or asks for a client certificate.
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

/** Translates the error of a failed connection, and says so when client and broker disagree about TLS. */
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
