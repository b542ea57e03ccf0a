import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { AssayError } from './runtime/errors.ts'

const FILE_NAME = /^\d{4}_[a-z0-9_]+\.sql$/

/** A numbered file of statements that a database runs once. Append-only: an applied one is never edited. */
export interface Migration {
  readonly name: string
  readonly statements: string
  readonly checksum: string
}

/** What a database has noted in `schema_migrations`. */
export interface AppliedMigration {
  readonly name: string
  readonly checksum: string
}

/** The migrations of a folder, in their order. */
export const readMigrationsOf = async (folder: URL): Promise<readonly Migration[]> => {
  const names = (await readdir(folder)).filter(name => FILE_NAME.test(name)).sort()
  return Promise.all(
    names.map(async name => {
      const statements = await readFile(new URL(name, folder), 'utf8')
      return { name, statements, checksum: createHash('sha256').update(statements).digest('hex') }
    }),
  )
}

/** The same, but read once, for those who ask every few seconds. */
export const readOnce = (folder: URL): (() => Promise<readonly Migration[]>) => {
  let kept: readonly Migration[] | undefined
  return async () => {
    kept ??= await readMigrationsOf(folder)
    return kept
  }
}

/** Those that the database has not applied yet. Throws `conflict` when one that it has applied was changed. */
export const missingMigrations = (
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

/** Throws `conflict` when the database has a migration that is not among these: it would be put back by an older version. */
export const refuseNewer = (migrations: readonly Migration[], applied: readonly AppliedMigration[]): void => {
  const names = new Set(migrations.map(({ name }) => name))
  const unknown = applied.find(({ name }) => !names.has(name))
  if (unknown === undefined) return
  throw new AssayError(
    'conflict',
    `This database has the migration ${unknown.name}, which this version of Assay does not know. It was used by a newer version: start that one.`,
  )
}

/**
 * For readiness. Throws a retriable `unavailable` that names what `database` lacks, and `conflict` when an applied migration was
 * changed. A newer database is fine: the programs of the version before go on while they are replaced.
 */
export const requireApplied = (
  database: string,
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): void => {
  const missing = missingMigrations(migrations, applied).map(({ name }) => name)
  if (missing.length === 0) return
  const what = missing.length === 1 ? 'migration' : 'migrations'
  throw new AssayError('unavailable', `${database} lacks the ${what} ${missing.join(', ')}. Run \`assay migrate\`.`)
}
