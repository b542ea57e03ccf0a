import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { AssayError } from '../runtime/errors.ts'
import type { Logger } from '../runtime/logger.ts'
import { type AnalyticsConnection, createClickHouseClient } from './client.ts'
import { analyticsError } from './errors.ts'

const SCHEMAS = new URL('../../schemas/clickhouse/', import.meta.url)
const FILE_NAME = /^\d{4}_[a-z0-9_]+\.sql$/

const BOOKKEEPING = `
  CREATE TABLE IF NOT EXISTS schema_migrations
  (
      name       String,
      checksum   String,
      applied_at DateTime64(3, 'UTC') DEFAULT now64(3)
  )
  ENGINE = MergeTree
  ORDER BY name`

/** The statements of a file: each ends with a semicolon at the end of a line; lines that begin with `--` are left out. */
const statementsOf = (text: string): string[] =>
  text
    .replace(/^\s*--.*$/gm, '')
    .split(/;\s*$/m)
    .map(statement => statement.trim())
    .filter(statement => statement !== '')

export interface AnalyticsMigrateOptions {
  readonly logger: Logger
  /** Where the numbered files are; `schemas/clickhouse` unless told. */
  readonly folder?: URL
}

/**
 * Creates the database if it is missing and runs the numbered files that it has not recorded. ClickHouse has no transactions, so
 * statements must be such that running them again does nothing (`IF NOT EXISTS`): after a crash, or beside another starter, they are.
 * Rejects with `conflict` when an applied file was changed.
 */
export const migrateClickHouse = async (
  connection: AnalyticsConnection,
  { logger, folder = SCHEMAS }: AnalyticsMigrateOptions,
): Promise<void> => {
  const server = createClickHouseClient({ ...connection, database: 'default' }, logger)
  const client = createClickHouseClient(connection, logger)
  try {
    await server.command({
      query: 'CREATE DATABASE IF NOT EXISTS {name: Identifier}',
      query_params: { name: connection.database },
    })
    await client.command({ query: BOOKKEEPING })
    const recorded = await client.query({
      query: 'SELECT name, checksum FROM schema_migrations',
      format: 'JSONEachRow',
    })
    const rows = await recorded.json<{ name: string; checksum: string }>()
    const applied = new Map(rows.map(row => [row.name, row.checksum]))

    for (const name of (await readdir(folder)).filter(file => FILE_NAME.test(file)).sort()) {
      const text = await readFile(new URL(name, folder), 'utf8')
      const checksum = createHash('sha256').update(text).digest('hex')
      const before = applied.get(name)
      if (before === checksum) continue
      if (before !== undefined)
        throw new AssayError(
          'conflict',
          `The ClickHouse migration ${name} was changed after this database had applied it. Migrations are forward only: restore the file as it was and put the change in a new one.`,
        )
      for (const query of statementsOf(text)) await client.command({ query })
      await client.insert({ table: 'schema_migrations', values: [{ name, checksum }], format: 'JSONEachRow' })
      logger.info({ migration: name }, 'migrated the analytics database')
    }
  } catch (error) {
    throw error instanceof AssayError ? error : analyticsError(error)
  } finally {
    await Promise.all([server.close(), client.close()])
  }
}
