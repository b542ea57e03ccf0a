import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import {
  type AppliedMigration,
  type Migration,
  newerMigrations,
  nextMigration,
  readMigrationsOf,
  readOnce,
  requireApplied,
} from '../migrations.ts'
import { AssayError, codeOf } from '../runtime/errors.ts'
import type { Logger } from '../runtime/logger.ts'
import { databaseError } from './errors.ts'
import { isRace, migrationError } from './migration-errors.ts'

/** The statement limit of a pool that migrates, ms: a migration may rewrite a large table. */
export const MIGRATION_STATEMENT_MS = 12 * 3_600_000

const SCHEMAS = new URL('../../schemas/postgres/', import.meta.url)
/** An arbitrary number that nothing else in the database locks. */
const LOCK = 7_215_033_184

const BOOKKEEPING = `
  create table if not exists schema_migrations (
    name text primary key,
    checksum text not null,
    applied_at timestamptz not null default now(),
    needs text
  )`
/** Read as JSON, since an older version may have created the table without the column. */
const APPLIED = `select name, checksum, to_jsonb(schema_migrations) ->> 'needs' as needs from schema_migrations`
const ADD_NEEDS = 'alter table schema_migrations add column if not exists needs text'
const UNDEFINED_TABLE = '42P01'
/** Maximum of conflicts with another program that makes the same object at the same moment. */
const MAX_RACES = 50
const RACE_PAUSE_MS = 20

/** The migrations of a folder, in their order. */
export const readMigrations = (folder: URL = SCHEMAS): Promise<readonly Migration[]> => readMigrationsOf(folder)

/**
 * Makes the server check each second that the client is alive, where its system can. Otherwise it notices a killed
 * client when it next writes to it, at the end of a long statement, and keeps the lock until then.
 */
const NOTICE_DEATH = `
  do $$ begin
    set local client_connection_check_interval = '1s';
  exception when invalid_parameter_value then null;
  end $$`

/** The first missing migration, in a transaction that holds the lock; null when none is missing. */
const findNext = async (client: pg.PoolClient, migrations: readonly Migration[]): Promise<Migration | null> => {
  await client.query(NOTICE_DEATH)
  await client.query('select pg_advisory_xact_lock($1)', [LOCK])
  await client.query(BOOKKEEPING)
  const { rows: applied } = await client.query<AppliedMigration>(APPLIED)
  return nextMigration(migrations, applied)
}

const apply = async (client: pg.PoolClient, { name, statements, checksum, needs }: Migration): Promise<void> => {
  try {
    await client.query(statements)
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
    if (needs === null) return
    await client.query(ADD_NEEDS)
    await client.query('update schema_migrations set needs = $2 where name = $1', [name, needs])
  } catch (error) {
    throw migrationError(error, name)
  }
}

/** The name of the applied migration; null when none was missing. */
const applyNext = async (client: pg.PoolClient, migrations: readonly Migration[]): Promise<string | null> => {
  await client.query('begin')
  try {
    const next = await findNext(client, migrations)
    if (next !== null) await apply(client, next)
    await client.query('commit')
    return next?.name ?? null
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

export interface MigrateOptions {
  readonly logger: Logger
  /** The folder of the numbered files; `schemas/postgres` by default. */
  readonly folder?: URL
}

const applyAll = async (client: pg.PoolClient, migrations: readonly Migration[], logger: Logger): Promise<void> => {
  for (let races = 0; ; ) {
    try {
      const name = await applyNext(client, migrations)
      if (name === null) return
      logger.info({ migration: name }, 'migrated the database')
    } catch (error) {
      races += 1
      if (!isRace(error) || races > MAX_RACES) throw error
      await sleep(RACE_PAUSE_MS)
    }
  }
}

const CREATE_DATABASE = "create database <name> template template0 encoding 'UTF8' lc_ctype 'C.UTF-8'"

/**
 * Checks what a database cannot change after its creation. Rejects with `unsupported` for an encoding other than UTF8.
 * Logs a warning when the database knows upper and lower case of ASCII letters only.
 */
const checkDatabaseSettings = async (client: pg.PoolClient, logger: Logger): Promise<void> => {
  const { rows: encodings } = await client.query<{ encoding: string }>('select getdatabaseencoding() as encoding')
  const encoding = encodings[0]?.encoding
  if (encoding !== 'UTF8')
    throw new AssayError(
      'unsupported',
      `The database has the encoding ${encoding}. Create one with UTF8: ${CREATE_DATABASE}.`,
    )
  const { rows: cases } = await client.query<{ folds: boolean }>('select lower($1) = $2 as folds', ['Ü', 'ü'])
  if (cases[0]?.folds !== true)
    logger.warn(
      `the database knows upper and lower case of English letters only (LC_CTYPE "C"): the search will miss other words in another case. Better: ${CREATE_DATABASE}`,
    )
}

/**
 * Brings the database to the newest schema, each migration in a transaction of its own. Concurrent calls are safe, for
 * this database and others of the server. A newer database stays as it is; the result has the names of its newer
 * migrations. Rejects, without changes, with `conflict` when an applied migration was changed or took away what this
 * version needs, and with `forbidden` when the user lacks a right.
 */
export const migratePostgres = async (
  pool: pg.Pool,
  { logger, folder }: MigrateOptions,
): Promise<readonly string[]> => {
  const migrations = await readMigrations(folder)
  let client: pg.PoolClient | undefined
  try {
    client = await pool.connect()
    await checkDatabaseSettings(client, logger)
    await applyAll(client, migrations, logger)
    const { rows } = await client.query<AppliedMigration>(APPLIED)
    const newer = newerMigrations(migrations, rows)
    if (newer.length > 0) logger.warn({ newer }, 'the database is of a newer version of Assay, and stays as it is')
    client.release()
    return newer
  } catch (error) {
    client?.release(true)
    throw databaseError(error)
  }
}

const ownMigrations = readOnce(SCHEMAS)

const readApplied = async (pool: pg.Pool): Promise<readonly AppliedMigration[]> => {
  try {
    return (await pool.query<AppliedMigration>(APPLIED)).rows
  } catch (error) {
    // The database was never migrated.
    if (codeOf(error) === UNDEFINED_TABLE) return []
    throw databaseError(error)
  }
}

const MOVING = 'select state from moves'

/** Why nobody may work on a database, by its state of a move. */
const MOVE_SENTENCES: Readonly<Record<string, string>> = {
  filling: 'A move into this database is under way. Run `assay move` again if it was interrupted.',
  leaving: 'A move out of this database is under way. To give it up: delete from moves.',
  left: 'The installation was moved out of this database. To go on with what is left here: delete from moves.',
}

const assertNotMoving = async (pool: pg.Pool): Promise<void> => {
  const state = await pool.query<{ state: string }>(MOVING).then(
    ({ rows }) => rows[0]?.state ?? '',
    error => {
      // A caller that requires only migrations before the one that makes the table.
      if (codeOf(error) === UNDEFINED_TABLE) return ''
      throw databaseError(error)
    },
  )
  const sentence = MOVE_SENTENCES[state]
  if (sentence !== undefined) throw new AssayError('unavailable', sentence)
}

/**
 * Resolves when the database has every migration of this version, as a newer database has. Costs one small query, so
 * that a readiness check can run it every few seconds. Rejects with a retriable `unavailable` that names missing
 * migrations or says that the database is away, and with `conflict` when an applied migration was changed. `migrations`
 * are those of `schemas/postgres` by default.
 */
export const assertPostgresMigrated = async (pool: pg.Pool, migrations?: readonly Migration[]): Promise<void> => {
  requireApplied('The database', migrations ?? (await ownMigrations()), await readApplied(pool))
  await assertNotMoving(pool)
}
