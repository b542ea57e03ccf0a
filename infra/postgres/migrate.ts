import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'
import { AssayError } from '../runtime/errors.ts'
import type { Logger } from '../runtime/logger.ts'
import { databaseError } from './errors.ts'

const SCHEMAS = new URL('../../schemas/postgres/', import.meta.url)
const FILE_NAME = /^\d{4}_[a-z0-9_]+\.sql$/
/** Any number, as long as nothing else in the database locks it. */
const LOCK = 7_215_033_184

const BOOKKEEPING = `
  create table if not exists schema_migrations (
    name text primary key,
    checksum text not null,
    applied_at timestamptz not null default now()
  )`

export interface Migration {
  readonly name: string
  readonly statements: string
  readonly checksum: string
}

/** The migrations of a folder, in their order. */
export const readMigrations = async (folder: URL = SCHEMAS): Promise<readonly Migration[]> => {
  const names = (await readdir(folder)).filter(name => FILE_NAME.test(name)).sort()
  return Promise.all(
    names.map(async name => {
      const statements = await readFile(new URL(name, folder), 'utf8')
      return { name, statements, checksum: createHash('sha256').update(statements).digest('hex') }
    }),
  )
}

const refuseChanges = (migrations: readonly Migration[], applied: ReadonlyMap<string, string>) => {
  for (const { name, checksum } of migrations) {
    const before = applied.get(name)
    if (before !== undefined && before !== checksum)
      throw new AssayError(
        'conflict',
        `The migration ${name} was changed after this database had applied it. Migrations are forward only: restore the file as it was and put the change in a new one.`,
      )
  }
  const known = new Set(migrations.map(migration => migration.name))
  const unknown = [...applied.keys()].find(name => !known.has(name))
  if (unknown !== undefined)
    throw new AssayError(
      'conflict',
      `This database has the migration ${unknown}, which this version of Assay does not know. It was used by a newer version: start that one.`,
    )
}

/** Runs the first migration that is missing, if one is, in a transaction under the lock. Answers its name. */
const applyNext = async (client: pg.PoolClient, migrations: readonly Migration[]): Promise<string | null> => {
  await client.query('begin')
  try {
    await client.query('select pg_advisory_xact_lock($1)', [LOCK])
    await client.query(BOOKKEEPING)
    const { rows } = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from schema_migrations',
    )
    const applied = new Map(rows.map(row => [row.name, row.checksum]))
    refuseChanges(migrations, applied)
    const next = migrations.find(migration => !applied.has(migration.name))
    if (next !== undefined) {
      await client.query(next.statements)
      await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [next.name, next.checksum])
    }
    await client.query('commit')
    return next?.name ?? null
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

export interface MigrateOptions {
  readonly logger: Logger
  /** Where the numbered files are; `schemas/postgres` unless told. */
  readonly folder?: URL
}

/**
 * Brings the database to the newest schema, each migration in a transaction of its own. Any number of starters may call it at once.
 * Rejects with `conflict` when an applied migration was changed or is unknown, and changes nothing then.
 */
export const migratePostgres = async (pool: pg.Pool, { logger, folder }: MigrateOptions): Promise<void> => {
  const migrations = await readMigrations(folder)
  try {
    const client = await pool.connect()
    try {
      for (;;) {
        const name = await applyNext(client, migrations)
        if (name === null) return
        logger.info({ migration: name }, 'migrated the database')
      }
    } finally {
      client.release()
    }
  } catch (error) {
    throw databaseError(error)
  }
}
