import { CLICKHOUSE_CONFIG, parseClickHouseUrl } from '../infra/clickhouse/config.ts'
import { migrateClickHouse } from '../infra/clickhouse/migrate.ts'
import { TABLES_CONFIG, tableFormOf } from '../infra/clickhouse/table-form.ts'
import { KAFKA_CONFIG, kafkaConnection } from '../infra/log/config.ts'
import { assertRegistry, connectLog } from '../infra/log/connect.ts'
import { MIGRATION_STATEMENT_MS, migratePostgres } from '../infra/postgres/migrate.ts'
import { createPool, POSTGRES_CONFIG } from '../infra/postgres/pool.ts'
import type { ConfigOf } from '../infra/runtime/config.ts'
import { runProgram } from '../infra/runtime/program.ts'
import { PROGRAM_CONFIG } from '../infra/runtime/program-config.ts'
import { waitFor } from '../infra/runtime/promises.ts'
import { PROCESSORS_CONFIG } from '../processors/config.ts'
import { topicsOf } from '../processors/topology.ts'

export const MIGRATE_CONFIG = {
  ...PROGRAM_CONFIG,
  ...KAFKA_CONFIG,
  ...POSTGRES_CONFIG,
  ...CLICKHOUSE_CONFIG,
  ...TABLES_CONFIG,
  ...PROCESSORS_CONFIG,
}

/**
 * Brings the engines to this version: topics, analytics, and last the database, whose migrations the programs check.
 * Waits for engines that start later. Safe to repeat and to run concurrently.
 */
export const runMigrate = (config: ConfigOf<typeof MIGRATE_CONFIG>): Promise<void> => {
  const topics = topicsOf(config)
  const tables = tableFormOf(config)
  return runProgram({ name: 'migrate', logLevel: config.logLevel }, async ({ logger, lifecycle }) => {
    const brokers = kafkaConnection(config)
    const { log } = connectLog(brokers, 'migrate', logger)
    lifecycle.onStop('the log', log.close)
    const pool = createPool({
      connection: config.databaseUrl,
      max: 1,
      statementTimeoutMs: MIGRATION_STATEMENT_MS,
      logger,
    })
    lifecycle.onStop('the database', () => pool.end())
    const analytics = parseClickHouseUrl(config.clickhouseUrl)
    await waitFor(() => log.ensureTopics(topics), { what: 'the log', logger })
    await waitFor(() => assertRegistry(brokers), { what: 'the schema registry', logger })
    await waitFor(() => migrateClickHouse(analytics, { logger, tables }), { what: 'the analytics engine', logger })
    const newer = await waitFor(() => migratePostgres(pool, { logger }), { what: 'the database', logger })
    process.stdout.write(
      newer.length === 0
        ? 'The log has its topics, and both databases have every migration.\n'
        : `The database is of a newer version of Assay (${newer.join(', ')}). This version works with it, and has nothing to migrate.\n`,
    )
    await lifecycle.stop()
  })
}
