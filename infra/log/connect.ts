import type { MessagePort } from 'node:worker_threads'
import type { Logger } from '../runtime/logger.ts'
import { connectEmbeddedLog } from './embedded/index.ts'
import { assertConfluentRegistry, createConfluentRegistry, createKafkaLog } from './kafka/index.ts'
import type { Log } from './port.ts'
import type { SchemaRegistry } from './registry.ts'

export type SaslMechanism = 'plain' | 'scram-sha-256' | 'scram-sha-512'

export interface KafkaLogConnection {
  readonly kind: 'kafka'
  readonly brokers: readonly string[]
  readonly tls: boolean
  readonly sasl: {
    readonly mechanism: SaslMechanism
    readonly username: string
    readonly password: string
  } | null
  readonly schemaRegistryUrl: string
}

/** How a program reaches the log and the schemas of its records; can be handed to another thread, the port by transfer. */
export type LogConnection = { readonly kind: 'embedded'; readonly port: MessagePort } | KafkaLogConnection

/** Resolves when the registry of these brokers answers; rejects with `invalid_configuration` when what answers is none. */
export const assertRegistry = ({ schemaRegistryUrl }: KafkaLogConnection): Promise<void> =>
  assertConfluentRegistry(schemaRegistryUrl)

export interface ConnectedLog {
  readonly log: Log
  readonly registry: SchemaRegistry
}

/** A client of the log; `program` is what the brokers know it as. Connects when it is first needed. */
export const connectLog = (connection: LogConnection, program: string, logger: Logger): ConnectedLog => {
  if (connection.kind === 'embedded') {
    const log = connectEmbeddedLog(connection.port, { logger })
    return { log, registry: log.registry }
  }
  const { brokers, tls, sasl, schemaRegistryUrl } = connection
  const log = createKafkaLog({
    brokers,
    clientId: `assay-${program}`,
    logger,
    tls,
    ...(sasl === null ? {} : { sasl }),
  })
  return { log, registry: createConfluentRegistry({ url: schemaRegistryUrl }) }
}
