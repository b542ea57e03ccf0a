import { join } from 'node:path'
import { createAnalytics } from '../../../infra/clickhouse/client.ts'
import { parseClickHouseUrl } from '../../../infra/clickhouse/config.ts'
import { startEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/index.ts'
import { connectLog } from '../../../infra/log/connect.ts'
import { startEmbeddedLog } from '../../../infra/log/embedded/index.ts'
import { startEmbeddedPostgres } from '../../../infra/postgres/embedded/index.ts'
import { createPool } from '../../../infra/postgres/pool.ts'
import { createLogger } from '../../../infra/runtime/logger.ts'
import { parseRetryDelays } from '../../../processors/framework/topics.ts'
import { DEFAULT_HEADS, describeTopology, topicsOf } from '../../../processors/topology.ts'
import { signalsTopic } from '../../../schemas/events/topics.ts'
import { type Contents, type ReadLog, readClickHouse, readLog, readPostgres } from './stores.ts'

/** What the installations of these tests retry with: often, so that a signal has used its attempts up in a second. */
export const RETRY_DELAYS = '100ms,200ms'
const DATABASE = 'assay'
const logger = createLogger({ level: 'silent', program: 'test' })

const TOPICS = topicsOf({
  heads: DEFAULT_HEADS,
  retryDelays: parseRetryDelays(RETRY_DELAYS) ?? [],
  signalPartitions: 1,
  activityPartitions: 1,
  personalRetentionMs: 1,
  retentionMs: 1,
}).map(({ name }) => name)

const topology = describeTopology()
const PERSONAL_TOPICS = DEFAULT_HEADS.filter(head => topology.isPersonal(head)).flatMap(head => [
  signalsTopic(head),
  signalsTopic(head, 'bulk'),
])

interface DeadLetter {
  readonly signal_id: string
  readonly sealed: boolean
  readonly record: Buffer
}

/** Everything that an installation kept. */
export interface Remains {
  readonly log: ReadLog
  readonly postgres: Contents
  readonly clickHouse: Contents
  readonly letters: readonly DeadLetter[]
}

const LETTERS = 'select signal_id, sealed, record from dead_letters'

const readDatabases = async (
  pool: ReturnType<typeof createPool>,
  analytics: ReturnType<typeof createAnalytics>,
): Promise<Omit<Remains, 'log'>> => {
  try {
    const { rows: letters } = await pool.query<DeadLetter>(LETTERS)
    return { postgres: await readPostgres(pool), clickHouse: await readClickHouse(analytics), letters }
  } finally {
    await pool.end()
    await analytics.close()
  }
}

/** Opens the stores of an embedded installation that has stopped. */
export const readEmbedded = async (directory: string): Promise<Remains> => {
  const log = await startEmbeddedLog({ directory: join(directory, 'log') })
  const postgres = await startEmbeddedPostgres({
    directory: join(directory, 'postgres'),
    logger,
    onCrash: error => {
      throw error
    },
  })
  const clickHouse = await startEmbeddedClickHouse({ directory: join(directory, 'clickhouse'), logger })
  const pool = createPool({ connection: postgres.connection, max: 1, logger })
  const analytics = createAnalytics({ ...clickHouse, database: DATABASE }, { logger })
  try {
    const records = await readLog(log.log, TOPICS, topic => PERSONAL_TOPICS.includes(topic))
    return { log: records, ...(await readDatabases(pool, analytics)) }
  } finally {
    await Promise.all([log.stop(), postgres.stop(), clickHouse.stop()])
  }
}

export const readEngines = async (urls: Readonly<Record<string, string>>): Promise<Remains> => {
  const { KAFKA_BROKERS = '', SCHEMA_REGISTRY_URL = '', DATABASE_URL = '', CLICKHOUSE_URL = '' } = urls
  const { log } = connectLog(
    {
      kind: 'kafka',
      brokers: KAFKA_BROKERS.split(','),
      tls: false,
      certificate: null,
      sasl: null,
      schemaRegistryUrl: SCHEMA_REGISTRY_URL,
    },
    'test',
    logger,
  )
  try {
    const records = await readLog(log, TOPICS, topic => PERSONAL_TOPICS.includes(topic))
    const pool = createPool({ connection: DATABASE_URL, max: 1, logger })
    const analytics = createAnalytics(parseClickHouseUrl(CLICKHOUSE_URL), { logger })
    return { log: records, ...(await readDatabases(pool, analytics)) }
  } finally {
    await log.close()
  }
}
