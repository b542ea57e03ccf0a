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

/** The real engines; each that is not set is embedded. */
export const STORES_CONFIG = {
  ...KAFKA_CONFIG,
  kafkaBrokers: optional(KAFKA_CONFIG.kafkaBrokers),
  schemaRegistryUrl: optional(KAFKA_CONFIG.schemaRegistryUrl),
  databaseUrl: optional(POSTGRES_CONFIG.databaseUrl),
  clickhouseUrl: optional(CLICKHOUSE_CONFIG.clickhouseUrl),
  ...TABLES_CONFIG,
}

export interface Stores {
  /** A connection of its own for each program in this process. */
  connectLog(): LogConnection
  readonly postgres: PostgresConnection
  readonly analytics: AnalyticsConnection
  /** Whoever copies them, or has their files forget what was removed, needs all three; null unless all are embedded. */
  readonly embedded: RunningEngines | null
}

/** The three embedded stores of one process, as the one that started them has them. */
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

/** Notes what it has started in `engines`. */
type Starting = Options & { readonly engines: { -readonly [Name in keyof Engines]?: Engines[Name] } }

const EMBEDDED_ANALYTICS_DATABASE = 'assay'

/** The setting that names an engine in the place of each embedded store. */
const ENGINES = { log: 'kafkaBrokers', postgres: 'databaseUrl', clickhouse: 'clickhouseUrl' } as const

/**
 * The three stores of one process side by side: embedded ones are started, and stopped by the lifecycle; of real ones
 * it is waited for until they answer. Both databases are migrated. Rejects with `invalid_configuration` when an engine
 * would take the place of an embedded store that holds data.
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

/** What an embedded engine is started with; `engines` notes it for whoever asks. */
type Owning = Omit<Options, 'config'> & Partial<Pick<Starting, 'engines'>>

/** The database alone: started, migrated, and stopped by the lifecycle. */
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
    // Thrown where nobody catches it: the lifecycle stops the process, and starting it again loses nothing.
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

/** The analytics engine alone: started, migrated, and stopped by the lifecycle. */
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
