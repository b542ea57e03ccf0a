import { parseClickHouseUrl } from '../../infra/clickhouse/config.ts'
import { migrateClickHouse, openAnalyticsTables } from '../../infra/clickhouse/migrate.ts'
import { tableFormOf } from '../../infra/clickhouse/table-form.ts'
import { kafkaConnection } from '../../infra/log/config.ts'
import { openContents } from '../../infra/log/connect.ts'
import { MIGRATION_STATEMENT_MS, migratePostgres } from '../../infra/postgres/migrate.ts'
import { createPool, openOwned } from '../../infra/postgres/pool.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import type { Program } from '../../infra/runtime/program.ts'
import { SUBJECTS } from '../../model/codecs.ts'
import { areOtherProgramsConnected, endMove, NO_PROGRESS, noteMove, readMove } from '../../model/moves/progress.ts'
import { topicsOf } from '../../processors/topology.ts'
import { type Place, settleActivity } from './place.ts'
import type { EnginesConfig, MoveConfig } from './settings.ts'

type Means = Pick<Program, 'logger' | 'lifecycle'>

const hostOf = (url: string): string => new URL(url).host

/** The engines of an installation whose programs are stopped. Rejects with `conflict` while one is connected. */
export const openEnginesPlace = async (
  config: MoveConfig,
  engines: EnginesConfig,
  { logger, lifecycle }: Means,
): Promise<Place> => {
  const pool = createPool({
    connection: engines.databaseUrl,
    max: 1,
    statementTimeoutMs: MIGRATION_STATEMENT_MS,
    logger,
  })
  await migratePostgres(pool, { logger }).finally(() => pool.end())
  const clickHouse = parseClickHouseUrl(engines.clickhouseUrl)
  const tables = tableFormOf(engines)
  await migrateClickHouse(clickHouse, { logger, tables })
  const database = await openOwned({
    connection: engines.databaseUrl,
    statementTimeoutMs: MIGRATION_STATEMENT_MS,
    logger,
  })
  lifecycle.onStop('the database’s connection', database.close)
  if (await areOtherProgramsConnected(database.query))
    throw new AssayError(
      'conflict',
      'Programs of Assay are connected to the database of these engines. Stop all of them first.',
    )
  const analytics = openAnalyticsTables(clickHouse, logger, tables)
  lifecycle.onStop('the analytics client', analytics.close)
  const connection = kafkaConnection(engines)

  return {
    name: `the engines at ${hostOf(engines.databaseUrl)}`,
    database,
    analytics,
    key: engines.installationKey,
    async openLog() {
      const definitionsOf = (existing: readonly string[]) => topicsOf(config, existing)
      const contents = await openContents(connection, { definitionsOf, subjects: SUBJECTS }, logger)
      lifecycle.onStop('the log', contents.close)
      return contents
    },
    settle: () =>
      settleActivity({ log: connection, analytics: clickHouse, maxRecords: config.activityBlockRecords, logger }),
    async leaving() {
      const noted = await readMove(database.query)
      return noted?.state === 'leaving' || noted?.state === 'left' ? { id: noted.id, state: noted.state } : null
    },
    async noteLeaving({ id, state }) {
      if (state === 'leaving') await noteMove(database.query, { id, state, progress: NO_PROGRESS })
      else await endMove(database.query, state)
    },
    // The state is noted with the rows instead.
    noteFilling: async () => {},
    keepKey: async () => {},
    noteArrived: async () => {},
  }
}
