import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import type pg from 'pg'
import { createLogger } from '../runtime/logger.ts'
import { type Engine, openEngine } from './embedded/engine.ts'
import { type ServerOptions, serve } from './embedded/server.ts'
import { makeSocketDirectory } from './embedded/socket-directory.ts'
import { migratePostgres, readMigrations } from './migrate.ts'
import { createPool, type PostgresConnection } from './pool.ts'

/** Raised when something else than the migrations changes what a template holds, such as the engine. */
const TEMPLATE_VERSION = 2

export const silentLogger = createLogger({ level: 'silent', program: 'test' })

/** A name for what the migrations of now make: another one as soon as one changes. */
export const templateHash = async (): Promise<string> => {
  const hash = createHash('sha256').update(String(TEMPLATE_VERSION))
  for (const { name, checksum } of await readMigrations()) hash.update(name).update(checksum)
  return hash.digest('hex').slice(0, 16)
}

/** One connection, for the time of `work`. */
export const withPool = async <T>(connection: PostgresConnection, work: (pool: pg.Pool) => Promise<T>): Promise<T> => {
  const pool = createPool({ connection, max: 1, logger: silentLogger })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

/** Applies every migration, so that what is there can be copied. */
export const makeTemplate = (connection: PostgresConnection): Promise<void> =>
  withPool(connection, async pool => void (await migratePostgres(pool, { logger: silentLogger })))

/** Where a database for tests is, and how it goes. */
export interface TestServer {
  readonly connection: PostgresConnection
  stop(): Promise<void>
}

/** Where tests keep what takes seconds to make, until what it is made of changes. */
export const CACHE = new URL('../../.cache/', import.meta.url)

/** Removes what is kept under names like these, but for the one that is still of use: some 40 MB each. */
export const removeOthers = async (like: RegExp, kept: string): Promise<void> => {
  const others = (await readdir(CACHE)).filter(name => like.test(name) && name !== kept)
  await Promise.all(others.map(name => rm(new URL(name, CACHE), { recursive: true, force: true })))
}

const serving = async (engine: Engine, clock?: ServerOptions['clock']): Promise<TestServer> => {
  const directory = await makeSocketDirectory()
  const server = await serve({ engine, socketPath: directory.path, ...(clock && { clock }) })
  return {
    connection: { host: directory.host, port: directory.port, user: 'postgres', database: 'postgres' },
    async stop() {
      await server.close()
      await engine.close()
      await directory.remove()
    },
  }
}

/**
 * What only tests copy holds one database. The two that others would be made from are twice as many files, and nobody
 * makes one in the embedded engine.
 */
const makeSmallTemplate = async (connection: PostgresConnection): Promise<void> => {
  await withPool(connection, async pool => {
    await pool.query('update pg_database set datistemplate = false where datname <> current_database()')
    for (const name of ['template0', 'template1']) await pool.query(`drop database ${name}`)
  })
  await makeTemplate(connection)
}

const dumpTemplate = async (): Promise<Blob> => {
  const engine = await openEngine({})
  const server = await serving(engine)
  await makeSmallTemplate(server.connection)
  const template = await engine.dump()
  await server.stop()
  return template
}

/** The data directory with every migration applied, made once and kept in `.cache` until a migration changes. */
const embeddedTemplate = async (): Promise<Blob> => {
  const name = `postgres-${await templateHash()}.tar`
  const file = new URL(name, CACHE)
  const kept = await readFile(file).catch(() => null)
  if (kept !== null) return new Blob([kept])
  const made = await dumpTemplate()
  await mkdir(CACHE, { recursive: true })
  // Renamed into place, so that whoever starts meanwhile, in this process or in another, never reads half of it.
  const partial = new URL(`${file.href}.${randomUUID()}`)
  await writeFile(partial, Buffer.from(await made.arrayBuffer()))
  await removeOthers(/^postgres-[0-9a-f]+\.tar$/, name)
  await rename(partial, file)
  return made
}

/** Makes a data directory with such a database in it: a fifth of what making it from nothing takes. */
export const prepareDirectoryForTests = async (directory: string): Promise<void> => {
  const engine = await openEngine({ directory, template: await embeddedTemplate() })
  await engine.close()
}

/**
 * An embedded database, in memory unless a directory is given, migrated and empty, behind a socket; `clock` is told
 * what its engine does.
 */
export const startEmbeddedForTests = async (
  given: { readonly clock?: ServerOptions['clock']; readonly directory?: string } = {},
): Promise<TestServer> => {
  const { clock, ...where } = given
  return serving(await openEngine({ ...where, template: await embeddedTemplate() }), clock)
}
