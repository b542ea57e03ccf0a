import { Readable } from 'node:stream'
import {
  type AppliedMigration,
  type Migration,
  nextMigration,
  readMigrationsOf,
  readOnce,
  requireApplied,
} from '../migrations.ts'
import { AssayError, codeOf, isAssayError } from '../runtime/errors.ts'
import type { Logger } from '../runtime/logger.ts'
import { type AnalyticsConnection, createClickHouseClient } from './client.ts'
import { analyticsError } from './errors.ts'
import type { Analytics } from './port.ts'
import { assertTableForm, LOCAL_TABLES, statementFor, type TableForm } from './table-form.ts'

const SCHEMAS = new URL('../../schemas/clickhouse/', import.meta.url)

const BOOKKEEPING = `CREATE TABLE IF NOT EXISTS schema_migrations
  (
      name       String,
      checksum   String,
      applied_at DateTime64(3, 'UTC') DEFAULT now64(3)
  )
  ENGINE = MergeTree
  ORDER BY name`
const APPLIED = 'SELECT name, checksum FROM schema_migrations'
const UNKNOWN_TABLE = '60'
const UNKNOWN_DATABASE = '81'

/** The statements of a file. Each ends with a semicolon at a line's end; lines that begin with `--` are left out. */
const statementsOf = (text: string): string[] =>
  text
    .replace(/^[ \t]*--.*$/gm, '')
    .split(/;\s*$/m)
    .map(statement => statement.trim())
    .filter(statement => statement !== '')

interface AnalyticsMigrateOptions {
  readonly logger: Logger
  /** Tables of a single server unless given. */
  readonly tables?: TableForm
  /** The folder of the numbered files; `schemas/clickhouse` by default. */
  readonly folder?: URL
}

/**
 * Creates the database if missing, and runs the numbered files that it has not recorded. ClickHouse has neither
 * transactions nor locks: statements must be idempotent (`IF NOT EXISTS`), since a crash or a concurrent start repeats
 * them, and a file may be recorded twice. Recorded files of a newer version stay. Rejects with `conflict` when an
 * applied file was changed, and as `assertTableForm` does.
 */
export const migrateClickHouse = async (
  connection: AnalyticsConnection,
  { logger, tables = LOCAL_TABLES, folder = SCHEMAS }: AnalyticsMigrateOptions,
): Promise<void> => {
  const migrations = await readMigrationsOf(folder)
  const server = createClickHouseClient({ ...connection, database: 'default' }, logger)
  const client = createClickHouseClient(connection, logger)
  /** Queried before each file, so that concurrent starts seldom run the same one. */
  const findNext = async (): Promise<Migration | undefined> => {
    const recorded = await client.query({ query: APPLIED, format: 'JSONEachRow' })
    const applied = await recorded.json<AppliedMigration>()
    return nextMigration(migrations, applied) ?? undefined
  }
  try {
    await assertTableForm(server, connection.database, tables)
    await server.command({
      query: statementFor(tables, 'CREATE DATABASE IF NOT EXISTS {name: Identifier}'),
      query_params: { name: connection.database },
    })
    await client.command({ query: statementFor(tables, BOOKKEEPING) })
    for (let next = await findNext(); next !== undefined; next = await findNext()) {
      const { name, checksum, statements } = next
      for (const statement of statementsOf(statements)) await client.command({ query: statementFor(tables, statement) })
      await client.insert({ table: 'schema_migrations', values: [{ name, checksum }], format: 'JSONEachRow' })
      logger.info({ migration: name }, 'migrated the analytics database')
    }
  } catch (error) {
    throw error instanceof AssayError ? error : analyticsError(error)
  } finally {
    await Promise.all([server.close(), client.close()])
  }
}

const ownMigrations = readOnce(SCHEMAS)

/** The statements of this version's migrations, in order. */
export const ownStatements = async (): Promise<readonly string[]> =>
  (await ownMigrations()).flatMap(({ statements }) => statementsOf(statements))

/** True when the table or database is missing: the database was never migrated. */
const isUntouched = (error: unknown): boolean => {
  const code = isAssayError(error) ? codeOf(error.cause) : null
  return code === UNKNOWN_TABLE || code === UNKNOWN_DATABASE
}

const readApplied = async (analytics: Analytics): Promise<readonly AppliedMigration[]> => {
  try {
    return await analytics.query<AppliedMigration>(APPLIED)
  } catch (error) {
    if (isUntouched(error)) return []
    throw error
  }
}

/**
 * Resolves when the analytics database has every migration of this version, as a newer database has. Costs one small
 * query, so that a readiness check can run it every few seconds. Rejects with a retriable `unavailable` that names
 * missing migrations or says that ClickHouse is away, and with `conflict` when an applied migration was changed.
 * `migrations` are those of `schemas/clickhouse` by default.
 */
export const assertClickHouseMigrated = async (
  analytics: Analytics,
  migrations?: readonly Migration[],
): Promise<void> =>
  requireApplied('The analytics database', migrations ?? (await ownMigrations()), await readApplied(analytics))

/** The format for moving rows unchanged: text that the same engine reads again, with all types and values. */
const FORMAT = 'TabSeparated'
const SECONDS = 1800

/** The tables of an analytics database, for an operator's work. */
export interface AnalyticsTables {
  rows<Row extends object>(statement: string, parameters?: Readonly<Record<string, unknown>>): Promise<Row[]>
  /** The rows of a query as text, a line each, for `insertText`. */
  readText(statement: string, parameters: Readonly<Record<string, unknown>>): Promise<string>
  /** Adds rows from `readText` as one block. */
  insertText(table: string, columns: readonly string[], text: string): Promise<void>
  command(statement: string): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the tables for an operator's work, with a limit of 30 minutes for a statement. Rejects with the errors of
 * `analyticsError`.
 */
export const openAnalyticsTables = (
  connection: AnalyticsConnection,
  logger: Logger,
  form: TableForm = LOCAL_TABLES,
): AnalyticsTables => {
  const client = createClickHouseClient(connection, logger)
  const limits = { max_execution_time: SECONDS }
  const translated = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      throw analyticsError(error)
    }
  }
  return {
    rows: <Row extends object>(query: string, parameters: Readonly<Record<string, unknown>> = {}) =>
      translated(
        client
          .query({ query, query_params: { ...parameters }, format: 'JSONEachRow', clickhouse_settings: limits })
          .then(result => result.json<Row>()),
      ),
    readText: (query, parameters) =>
      translated(
        client
          .query({ query, query_params: { ...parameters }, format: FORMAT, clickhouse_settings: limits })
          .then(result => result.text()),
      ),
    async insertText(table, columns, text) {
      if (text === '') return
      const [first, ...others] = columns
      if (first === undefined) return
      await translated(
        client.insert({
          table,
          columns: [first, ...others],
          values: Readable.from([text], { objectMode: false }),
          format: FORMAT,
          clickhouse_settings: { ...limits, insert_deduplicate: 0, async_insert: 0 },
        }),
      )
    },
    command: statement =>
      translated(
        client.command({ query: statementFor(form, statement), clickhouse_settings: limits }).then(() => undefined),
      ),
    close: () => client.close(),
  }
}
