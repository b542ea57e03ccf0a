import type { MessagePort } from 'node:worker_threads'
import type { Logger } from '../runtime/logger.ts'
import { connectEmbeddedLog } from './embedded/index.ts'
import { type InstallationTopics, openKafkaContents } from './kafka/contents.ts'
import { assertConfluentRegistry, createConfluentRegistry, createKafkaLog } from './kafka/index.ts'
import type { Log, LogContents, SchemaRegistry } from './port.ts'

export type SaslMechanism = 'plain' | 'scram-sha-256' | 'scram-sha-512'

interface ClientCertificate {
  readonly cert: string
  readonly key: string
}

export interface KafkaLogConnection {
  readonly kind: 'kafka'
  readonly brokers: readonly string[]
  readonly tls: boolean
  /** The client certificate in PEM; null where the brokers require none. */
  readonly certificate: ClientCertificate | null
  readonly sasl: {
    readonly mechanism: SaslMechanism
    readonly username: string
    readonly password: string
  } | null
  readonly schemaRegistryUrl: string
}

/** How a program reaches the log and the schema registry. Can be passed to another thread: the port by transfer. */
export type LogConnection = { readonly kind: 'embedded'; readonly port: MessagePort } | KafkaLogConnection

/**
 * Resolves when the schema registry answers. Rejects with `invalid_configuration` when another kind of service answers.
 */
export const assertRegistry = ({ schemaRegistryUrl }: KafkaLogConnection): Promise<void> =>
  assertConfluentRegistry(schemaRegistryUrl)

export interface ConnectedLog {
  readonly log: Log
  readonly registry: SchemaRegistry
}

const securityOf = ({ tls, certificate, sasl }: KafkaLogConnection) => ({
  tls,
  ...(certificate === null ? {} : { certificate }),
  ...(sasl === null ? {} : { sasl }),
})

/** A client of the log, which connects at its first use. `program` is part of the client id that brokers see. */
export const connectLog = (connection: LogConnection, program: string, logger: Logger): ConnectedLog => {
  if (connection.kind === 'embedded') {
    const log = connectEmbeddedLog(connection.port, { logger })
    return { log, registry: log.registry }
  }
  const { brokers, schemaRegistryUrl } = connection
  const log = createKafkaLog({ brokers, clientId: `assay-${program}`, logger, ...securityOf(connection) })
  return { log, registry: createConfluentRegistry({ url: schemaRegistryUrl }) }
}

/** The whole contents of the log of an installation whose programs are stopped. Rejects as `openKafkaContents` does. */
export const openContents = (
  connection: KafkaLogConnection,
  installation: InstallationTopics,
  logger: Logger,
): Promise<LogContents> =>
  openKafkaContents({
    ...installation,
    brokers: connection.brokers,
    clientId: 'assay-move',
    logger,
    ...securityOf(connection),
    registry: createConfluentRegistry({ url: connection.schemaRegistryUrl }),
  })
