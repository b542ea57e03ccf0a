import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { AssayError } from './runtime/errors.ts'

const FILE_NAME = /^\d{4}_[a-z0-9_]+\.sql$/

/** A numbered file of statements that a database runs once. An applied file is never edited. */
export interface Migration {
  readonly name: string
  readonly statements: string
  readonly checksum: string
  /**
   * For a migration that removes what earlier versions need: the migration that a program must know to continue. Null
   * for all others, with which the version before still works.
   */
  readonly needs: string | null
}

/** A row of `schema_migrations`. */
export interface AppliedMigration {
  readonly name: string
  readonly checksum: string
  readonly needs?: string | null
}

/** The line in a file that removes what versions before the named migration need. */
const CONTRACTS = /^-- Contracts: works with programs that know (\d{4}_[a-z0-9_]+\.sql)\.$/m

/** The migrations of a folder, in their order. */
export const readMigrationsOf = async (folder: URL): Promise<readonly Migration[]> => {
  const names = (await readdir(folder)).filter(name => FILE_NAME.test(name)).sort()
  return Promise.all(
    names.map(async name => {
      const statements = await readFile(new URL(name, folder), 'utf8')
      const [, needs = null] = CONTRACTS.exec(statements) ?? []
      return { name, statements, needs, checksum: createHash('sha256').update(statements).digest('hex') }
    }),
  )
}

/** Reads the folder once, for checks every few seconds. */
export const readOnce = (folder: URL): (() => Promise<readonly Migration[]>) => {
  let kept: readonly Migration[] | undefined
  return async () => {
    kept ??= await readMigrationsOf(folder)
    return kept
  }
}

/** The migrations that the database lacks. Throws `conflict` when an applied one was changed. */
const missingMigrations = (
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): readonly Migration[] => {
  const changed = migrations.find(({ name, checksum }) => applied.some(a => a.name === name && a.checksum !== checksum))
  if (changed !== undefined)
    throw new AssayError(
      'conflict',
      `The migration ${changed.name} was changed after this database had applied it. Migrations are forward only: restore the file as it was and put the change in a new one.`,
    )
  const names = new Set(applied.map(({ name }) => name))
  return migrations.filter(({ name }) => !names.has(name))
}

/**
 * Applied migrations of a newer version, which was rolled back. Throws `conflict` when one of them removed what this
 * version needs.
 */
export const newerMigrations = (
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): readonly string[] => {
  const names = new Set(migrations.map(({ name }) => name))
  const newer = applied.filter(({ name }) => !names.has(name))
  const beyond = newer.find(({ needs }) => typeof needs === 'string' && !names.has(needs))
  if (beyond !== undefined)
    throw new AssayError(
      'conflict',
      `This database has the migration ${beyond.name}, which took away what this version of Assay works with. Start a version that knows ${beyond.needs}.`,
    )
  return newer.map(({ name }) => name)
}

/**
 * The next migration to apply; null when none is missing. Throws `conflict` when this version can neither migrate nor
 * use the database.
 */
export const nextMigration = (
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): Migration | null => {
  const [next] = missingMigrations(migrations, applied)
  const [newer] = newerMigrations(migrations, applied)
  if (next === undefined) return null
  if (newer === undefined) return next
  throw new AssayError(
    'conflict',
    `This database lacks the migration ${next.name} and has ${newer}, which this version of Assay does not know: it is of another line of versions.`,
  )
}

const MAX_LISTED = 3

/** A new database lacks all migrations, whose names would hide the message. */
const listed = (names: readonly string[]): string => {
  if (names.length > MAX_LISTED) return `migrations from ${names[0]} on, ${names.length} in all`
  return `${names.length === 1 ? 'migration' : 'migrations'} ${names.join(', ')}`
}

/**
 * For readiness. Throws a retriable `unavailable` that names what `database` lacks, and `conflict` when an applied
 * migration was changed, or removed what this version needs. Otherwise a newer database is accepted: the version before
 * runs on during an upgrade and after a rollback.
 */
export const requireApplied = (
  database: string,
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): void => {
  const missing = missingMigrations(migrations, applied).map(({ name }) => name)
  newerMigrations(migrations, applied)
  if (missing.length === 0) return
  throw new AssayError('unavailable', `${database} lacks the ${listed(missing)}. Run \`assay migrate\`.`)
}
