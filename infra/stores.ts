import type { EmbeddedEngines } from './backup/copy-embedded.ts'
import type { AnalyticsConnection } from './clickhouse/client.ts'
import { CLICKHOUSE_CONFIG, parseClickHouseUrl } from './clickhouse/config.ts'
import { type EmbeddedClickHouse, startEmbeddedClickHouse } from './clickhouse/embedded/index.ts'
import { migrateClickHouse } from './clickhouse/migrate.ts'
import { TABLES_CONFIG, tableFormOf } from './clickhouse/table-form.ts'
import { KAFKA_CONFIG, kafkaConnection } from './log/config.ts'
import type { LogConnection } from './log/connect.ts'
import { startEmbeddedLog } from './log/embedded/index.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './postgres/embedded/index.ts'
import { MIGRATION_STATEMENT_MS, migratePostgres } from './postgres/migrate.ts'
import { createPool, POSTGRES_CONFIG, type PostgresConnection } from './postgres/pool.ts'
import type { ConfigOf } from './runtime/config.ts'
import type { DataDirectory } from './runtime/data-directory.ts'
import { AssayError } from './runtime/errors.ts'
import type { Logger } from './runtime/logger.ts'
import type { Lifecycle } from './runtime/program.ts'
import { waitFor } from './runtime/promises.ts'
import { optional } from './runtime/settings.ts'

/** Settings of real engines; a store without one is embedded. */
export const STORES_CONFIG = {
  ...KAFKA_CONFIG,
  kafkaBrokers: optional(KAFKA_CONFIG.kafkaBrokers),
  schemaRegistryUrl: optional(KAFKA_CONFIG.schemaRegistryUrl),
  databaseUrl: optional(POSTGRES_CONFIG.databaseUrl),
  clickhouseUrl: optional(CLICKHOUSE_CONFIG.clickhouseUrl),
  ...TABLES_CONFIG,
}

export interface Stores {
  /** A new connection, for each program in this process. */
  connectLog(): LogConnection
  readonly postgres: PostgresConnection
  readonly analytics: AnalyticsConnection
  /** All three stores when all are embedded, for copying them and for rewriting their files; null otherwise. */
  readonly embedded: RunningEngines | null
}

/** The three embedded stores of a process, for the process that started them. */
export interface RunningEngines extends EmbeddedEngines {
  readonly postgres: EmbeddedPostgres
  readonly clickhouse: Pick<EmbeddedClickHouse, 'freeze' | 'forget'>
}

interface Options {
  readonly config: ConfigOf<typeof STORES_CONFIG>
  readonly data: DataDirectory
  readonly logger: Logger
  readonly lifecycle: Lifecycle
}

type Engines = Omit<RunningEngines, 'directory' | 'logger'>

/** `engines` collects the started engines. */
type Starting = Options & { readonly engines: { -readonly [Name in keyof Engines]?: Engines[Name] } }

const EMBEDDED_ANALYTICS_DATABASE = 'assay'

/** By embedded store: the setting that replaces it by an engine. */
const ENGINES = { log: 'kafkaBrokers', postgres: 'databaseUrl', clickhouse: 'clickhouseUrl' } as const

/**
 * Starts the three stores of a process concurrently. Embedded ones are started, and stopped by the lifecycle; real ones
 * are waited for. Both databases are migrated. Rejects with `invalid_configuration` when an engine would replace an
 * embedded store that holds data.
 */
export const startStores = async (options: Options): Promise<Stores> => {
  for (const store of ['log', 'postgres', 'clickhouse'] as const) {
    const setting = ENGINES[store]
    if (options.config[setting] !== null) options.data.contents.assertNone(store, STORES_CONFIG[setting].env)
  }
  const engines: Starting['engines'] = {}
  const started = { ...options, engines }
  const [connectLog, postgres, analytics] = await Promise.all([
    startLog(started),
    startPostgres(started),
    startClickHouse(started),
  ])
  const { log, postgres: database, clickhouse } = engines
  const embedded =
    log && database && clickhouse
      ? { log, postgres: database, clickhouse, directory: options.data.path, logger: options.logger }
      : null
  return { connectLog, postgres, analytics, embedded }
}

const startLog = async ({ config, data, logger, lifecycle, engines }: Starting): Promise<Stores['connectLog']> => {
  const { kafkaBrokers, schemaRegistryUrl } = config
  if (kafkaBrokers !== null && schemaRegistryUrl !== null) {
    const connection = kafkaConnection({ ...config, kafkaBrokers, schemaRegistryUrl })
    return () => connection
  }
  if (kafkaBrokers !== schemaRegistryUrl) {
    const message = 'KAFKA_BROKERS and SCHEMA_REGISTRY_URL go together. Set both, or none for the embedded log.'
    throw new AssayError('invalid_configuration', message)
  }
  data.contents.opening('log')
  const log = await startEmbeddedLog({ directory: data.file('log'), logger })
  await data.contents.opened('log')
  lifecycle.onStop('the log', async () => {
    await log.stop()
    data.contents.closed('log')
  })
  engines.log = log
  return () => ({ kind: 'embedded', port: log.connect() })
}

const startPostgres = async ({ config, ...means }: Starting): Promise<PostgresConnection> => {
  if (config.databaseUrl === null) return startEmbeddedDatabase(means)
  await migrate(config.databaseUrl, means.logger)
  return config.databaseUrl
}

/** Options for starting an embedded engine; `engines` collects the engine where given. */
type Owning = Omit<Options, 'config'> & Partial<Pick<Starting, 'engines'>>

/** Only the database: starts, migrates and returns it; the lifecycle stops it. */
export const startEmbeddedDatabase = async (means: Owning): Promise<PostgresConnection> => {
  const connection = await startOwnPostgres(means)
  await migrate(connection, means.logger)
  return connection
}

const migrate = async (connection: PostgresConnection, logger: Logger): Promise<void> => {
  const pool = createPool({ connection, max: 1, statementTimeoutMs: MIGRATION_STATEMENT_MS, logger })
  try {
    await waitFor(() => migratePostgres(pool, { logger }), { what: 'the database', logger })
  } finally {
    await pool.end()
  }
}

const startOwnPostgres = async ({ data, logger, lifecycle, engines }: Owning): Promise<PostgresConnection> => {
  data.contents.opening('postgres')
  const postgres = await startEmbeddedPostgres({
    directory: data.file('postgres'),
    logger,
    // An uncaught error on purpose: the lifecycle stops the process, and a restart loses nothing.
    onCrash: error => {
      throw error
    },
  })
  await data.contents.opened('postgres')
  if (engines) engines.postgres = postgres
  lifecycle.onStop('the database', async () => {
    await postgres.stop()
    data.contents.closed('postgres')
  })
  return postgres.connection
}

const startClickHouse = async ({ config, ...means }: Starting): Promise<AnalyticsConnection> => {
  if (config.clickhouseUrl === null) return startEmbeddedAnalytics(means)
  const connection = parseClickHouseUrl(config.clickhouseUrl)
  const tables = tableFormOf(config)
  const { logger } = means
  const migrate = () => migrateClickHouse(connection, { logger, tables })
  await waitFor(migrate, { what: 'the analytics engine', logger })
  return connection
}

/** Only the analytics engine: starts, migrates and returns it; the lifecycle stops it. */
export const startEmbeddedAnalytics = async (means: Owning): Promise<AnalyticsConnection> => {
  const connection = await startOwnClickHouse(means)
  await migrateClickHouse(connection, { logger: means.logger })
  return connection
}

const startOwnClickHouse = async ({ data, logger, lifecycle, engines }: Owning) => {
  data.contents.opening('clickhouse')
  const { stop, freeze, forget, ...server } = await startEmbeddedClickHouse({
    directory: data.file('clickhouse'),
    logger,
  })
  await data.contents.opened('clickhouse')
  if (engines) engines.clickhouse = { freeze, forget }
  lifecycle.onStop('the analytics engine', async () => {
    await stop()
    data.contents.closed('clickhouse')
  })
  return { ...server, database: EMBEDDED_ANALYTICS_DATABASE }
}
