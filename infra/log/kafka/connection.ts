import kafkajs, { type ISocketFactory, type Kafka, type LogEntry, type SASLOptions } from 'kafkajs'
import type { Logger } from '../../runtime/logger.ts'

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

/** Tries for about four seconds: an edge that waits answers 503 soon, everybody else tries again. */
const RETRY = { retries: 5, initialRetryTime: 100, maxRetryTime: 2000 }

/**
 * A client of its own. Consumers must not share one: kafkajs keeps the committed offsets of a group with the client, so that two
 * members of a group would overwrite each other's.
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
