import { groupsOfSignals } from '../../commands/ledger.ts'
import { LEDGER_CONFIG } from '../../commands/ledger-config.ts'
import { createAnalytics } from '../../infra/clickhouse/client.ts'
import { parseClickHouseUrl } from '../../infra/clickhouse/config.ts'
import { kafkaConnection } from '../../infra/log/config.ts'
import { connectLog } from '../../infra/log/connect.ts'
import { createDatabase } from '../../infra/postgres/database.ts'
import { createPool } from '../../infra/postgres/pool.ts'
import { parseConfig } from '../../infra/runtime/config.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { type InstallationLedger, readInstallationLedger } from '../../model/ledger/installation-ledger.ts'

/** The ledger of programs on the real engines, read past them. */
export interface LedgerReader {
  read(): Promise<InstallationLedger>
  /** Those of the ids that Postgres has nowhere. */
  missing(ids: readonly string[]): Promise<readonly string[]>
  /** The dead letters by step and class. */
  deaths(): Promise<Readonly<Record<string, number>>>
  /** How many rows the tables have that the pipeline writes to. */
  rows(): Promise<Readonly<Record<string, number>>>
  /** Has programs work on a database that its installation was moved out of. */
  goOnHere(): Promise<void>
  /** Lifts the pause of a step, for whoever has no person to do it. */
  resume(step: string): Promise<void>
  /** Takes an occurrence out of Postgres, behind everybody's back; answers its id. */
  loseOccurrence(): Promise<string>
  close(): Promise<void>
}

const MISSING = `
  select requested.id from unnest($1::uuid[]) as requested (id)
  where not exists (select from signals where signals.id = requested.id)
    and not exists (select from occurrences where occurrences.id = requested.id)
    and not exists (select from dead_letters where dead_letters.signal_id = requested.id)`

const DEATHS = `
  select step || ', ' || fault || ', ' || error_class as name, count(*) as rows from dead_letters group by name order by rows desc`

const LOSE = 'delete from occurrences where id = (select min(id::text)::uuid from occurrences) returning id'

const TABLES = [
  'signals',
  'signal_vectors',
  'occurrences',
  'dead_letters',
  'claims',
  'claim_evidence',
  'merge_proposals',
] as const

const ROWS = TABLES.map(table => `select '${table}' as name, count(*) as rows from ${table}`).join(' union all ')

/** Reads with the addresses and settings that the programs have. */
export const openLedger = (environment: Readonly<Record<string, string>>): LedgerReader => {
  const { databaseUrl, clickhouseUrl, kafkaBrokers, schemaRegistryUrl, ...config } = parseConfig(
    LEDGER_CONFIG,
    environment,
  )
  if (databaseUrl === null || clickhouseUrl === null || kafkaBrokers === null || schemaRegistryUrl === null) {
    throw new TypeError('The ledger is read from real engines.')
  }
  const logger = createLogger({ level: 'silent', program: 'test' })
  // As the owner of the tables, who is not bound to a workspace.
  const pool = createPool({ connection: databaseUrl, max: 2, logger })
  const database = createDatabase(pool)
  const analytics = createAnalytics(parseClickHouseUrl(clickhouseUrl), { logger })
  const connection = kafkaConnection({ ...config, kafkaBrokers, schemaRegistryUrl })
  const { log } = connectLog(connection, 'ledger', logger)
  return {
    read: async () =>
      readInstallationLedger({ database, analytics, log: { log, groups: groupsOfSignals(await log.topics()) } }),
    async missing(ids) {
      const { rows } = await pool.query<{ id: string }>(MISSING, [ids])
      return rows.map(({ id }) => id)
    },
    async deaths() {
      const { rows } = await pool.query<{ name: string; rows: number }>(DEATHS)
      return Object.fromEntries(rows.map(row => [row.name, row.rows]))
    },
    async rows() {
      const { rows } = await pool.query<{ name: string; rows: number }>(ROWS)
      return Object.fromEntries(rows.map(row => [row.name, row.rows]))
    },
    async goOnHere() {
      await pool.query('delete from moves')
    },
    async resume(step) {
      await pool.query('delete from paused_steps where step = $1', [step])
    },
    async loseOccurrence() {
      const { rows } = await pool.query<{ id: string }>(LOSE)
      const [lost] = rows
      if (lost === undefined) throw new TypeError('There is no occurrence to lose.')
      return lost.id
    },
    async close() {
      await Promise.all([database.close(), analytics.close(), log.close()])
    },
  }
}
