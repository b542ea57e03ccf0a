import { createHash } from 'node:crypto'
import type pg from 'pg'
import { createLogger } from '../runtime/logger.ts'
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
