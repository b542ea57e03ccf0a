import { createAnalytics } from '../infra/clickhouse/client.ts'
import { parseClickHouseUrl } from '../infra/clickhouse/config.ts'
import { assertClickHouseMigrated } from '../infra/clickhouse/migrate.ts'
import { kafkaConnection } from '../infra/log/config.ts'
import { connectLog } from '../infra/log/connect.ts'
import { createDatabase } from '../infra/postgres/database.ts'
import { assertPostgresMigrated } from '../infra/postgres/migrate.ts'
import { createPool } from '../infra/postgres/pool.ts'
import { openDataDirectory } from '../infra/runtime/data-directory.ts'
import { AssayError, isAssayError } from '../infra/runtime/errors.ts'
import type { Logger } from '../infra/runtime/logger.ts'
import { type Lifecycle, runProgram } from '../infra/runtime/program.ts'
import { type Stores, startStores } from '../infra/stores.ts'
import { readInstallationLedger } from '../model/ledger/installation-ledger.ts'
import { retryDelaysOf } from '../processors/framework/leftover-topics.ts'
import { topicMoverGroup } from '../processors/framework/mover.ts'
import { LANES, segmentGroup } from '../processors/framework/topics.ts'
import { ACTIVITY_GROUP } from '../processors/sinks/activity/activity.ts'
import { DEAD_LETTERS_GROUP } from '../processors/sinks/dead-letters/dead-letters.ts'
import { STEPS } from '../schemas/domain/vocabulary.ts'
import { signalsTopic } from '../schemas/events/topics.ts'
import type { LedgerConfig } from './ledger-config.ts'
import { renderLedger } from './ledger-table.ts'
import { assertKeepsData } from './operator-database.ts'

/** Counting a workspace with millions of signals takes minutes. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000

interface Means {
  readonly config: LedgerConfig
  readonly logger: Logger
  readonly lifecycle: Lifecycle
}

/** The stores that are read; the log only when it is configured. */
type Connections = Pick<Stores, 'postgres' | 'analytics'> & { readonly connectLog: Stores['connectLog'] | null }

const connectEngines = (config: LedgerConfig, databaseUrl: string, clickhouseUrl: string): Connections => {
  const { kafkaBrokers, schemaRegistryUrl } = config
  return {
    postgres: databaseUrl,
    analytics: parseClickHouseUrl(clickhouseUrl),
    connectLog:
      kafkaBrokers === null || schemaRegistryUrl === null
        ? null
        : () => kafkaConnection({ ...config, kafkaBrokers, schemaRegistryUrl }),
  }
}

/** Opens the embedded stores for this process alone. They must exist: new ones would show an empty ledger. */
const startEmbedded = async ({ config, logger, lifecycle }: Means): Promise<Connections> => {
  const { dataDirectory } = config
  assertKeepsData(dataDirectory, 'DATABASE_URL and CLICKHOUSE_URL')
  const data = await openDataDirectory(dataDirectory).catch(error => {
    if (!isAssayError(error) || error.code !== 'already_running') throw error
    const message = `An Assay is running on the data directory ${dataDirectory}, and its embedded databases are open to it alone. Ask it: service_support mode ledger answers the ledger of a workspace to its owner. Or stop it, and run this again.`
    throw new AssayError('already_running', message, { cause: error })
  })
  lifecycle.onStop('the data directory', data.release)
  return startStores({ config, data, logger, lifecycle })
}

/**
 * Prints the ledger: how many signals came in, and where each is, in both stores. The exit code is 1 when the ledger is
 * unbalanced for good.
 */
export const runLedger = (config: LedgerConfig): Promise<void> =>
  // Silent, since the ledger goes to standard output; a store that is away is an error that ends the command.
  runProgram({ name: 'ledger', logLevel: 'silent' }, async ({ logger, lifecycle }) => {
    const { databaseUrl, clickhouseUrl, printsJson } = config
    const connections =
      databaseUrl !== null && clickhouseUrl !== null
        ? connectEngines(config, databaseUrl, clickhouseUrl)
        : await startEmbedded({ config, logger, lifecycle })
    const pool = createPool({
      connection: connections.postgres,
      max: 1,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      logger,
    })
    const database = createDatabase(pool)
    lifecycle.onStop('the database’s pool', database.close)
    const analytics = createAnalytics(connections.analytics, { logger })
    lifecycle.onStop('the analytics client', analytics.close)
    const log = connections.connectLog === null ? null : connectLog(connections.connectLog(), 'ledger', logger).log
    if (log !== null) lifecycle.onStop('the log’s client', log.close)

    // Checked explicitly, since a store without data of a workspace is never read, and would not report missing
    // migrations.
    await assertPostgresMigrated(pool)
    await assertClickHouseMigrated(analytics)
    const ledger = await readInstallationLedger({
      database,
      analytics,
      log: log && { log, groups: groupsOfSignals(await log.topics()) },
    })
    process.stdout.write(printsJson ? `${JSON.stringify(ledger, null, 2)}\n` : renderLedger(ledger))
    process.exitCode = ledger.verdict === 'unbalanced' ? 1 : 0
    await lifecycle.stop()
  })

/**
 * The consumer groups that signals and their records pass, from the log's topics, whatever settings made them: while
 * one of them lags, something is under way.
 */
export const groupsOfSignals = (topics: readonly string[]): readonly string[] => [
  ...STEPS.flatMap(head =>
    LANES.filter(lane => topics.includes(signalsTopic(head, lane))).map(lane => segmentGroup(head, lane)),
  ),
  ...retryDelaysOf(topics).map(topicMoverGroup),
  DEAD_LETTERS_GROUP,
  ACTIVITY_GROUP,
]
