import type { AnalyticsConnection } from './clickhouse/client.ts'
import { startEmbeddedClickHouse } from './clickhouse/embedded/index.ts'
import { migrateClickHouse } from './clickhouse/migrate.ts'
import { type RunningEmbeddedLog, startEmbeddedLog } from './log/embedded/index.ts'
import { startEmbeddedPostgres } from './postgres/embedded/index.ts'
import { migratePostgres } from './postgres/migrate.ts'
import { createPool, type PostgresConnection } from './postgres/pool.ts'
import type { DataDirectory } from './runtime/data-directory.ts'
import type { Lifecycle } from './runtime/lifecycle.ts'
import type { Logger } from './runtime/logger.ts'

export interface EmbeddedStores {
  readonly log: RunningEmbeddedLog
  readonly postgres: PostgresConnection
  readonly analytics: AnalyticsConnection
}

interface Options {
  readonly data: DataDirectory
  readonly logger: Logger
  readonly lifecycle: Lifecycle
}

const ANALYTICS_DATABASE = 'assay'

/** Starts the three stores of the embedded default side by side, each migrated, and has the lifecycle stop them. */
export const startEmbeddedStores = async (options: Options): Promise<EmbeddedStores> => {
  const [log, postgres, analytics] = await Promise.all([
    startLog(options),
    startPostgres(options),
    startClickHouse(options),
  ])
  return { log, postgres, analytics }
}

const startLog = async ({ data, logger, lifecycle }: Options): Promise<RunningEmbeddedLog> => {
  const log = await startEmbeddedLog({ directory: data.file('log'), logger })
  lifecycle.onStop('the log', log.stop)
  return log
}

const startPostgres = async ({ data, logger, lifecycle }: Options): Promise<PostgresConnection> => {
  const postgres = await startEmbeddedPostgres({
    directory: data.file('postgres'),
    logger,
    // Thrown where nobody catches it: the lifecycle stops the process, and starting it again loses nothing.
    onCrash: error => {
      throw error
    },
  })
  lifecycle.onStop('the database', postgres.stop)
  const pool = createPool({ connection: postgres.connection, max: 1, logger })
  try {
    await migratePostgres(pool, { logger })
  } finally {
    await pool.end()
  }
  return postgres.connection
}

const startClickHouse = async ({ data, logger, lifecycle }: Options): Promise<AnalyticsConnection> => {
  const { stop, ...server } = await startEmbeddedClickHouse({ directory: data.file('clickhouse'), logger })
  lifecycle.onStop('the analytics engine', stop)
  const connection = { ...server, database: ANALYTICS_DATABASE }
  await migrateClickHouse(connection, { logger })
  return connection
}
