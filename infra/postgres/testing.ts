import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import type pg from 'pg'
import { newId, type TenantId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { createLogger } from '../runtime/logger.ts'
import { createDatabase } from './database.ts'
import { type Engine, openEngine } from './embedded/engine.ts'
import { serve } from './embedded/server.ts'
import { makeSocketDirectory } from './embedded/socket-directory.ts'
import { migratePostgres, readMigrations } from './migrate.ts'
import { createPool, type PostgresConnection } from './pool.ts'
import type { Database } from './port.ts'

const CACHE = new URL('../../.cache/', import.meta.url)
/** Raised when something else than the migrations changes what a template holds, such as the engine. */
const TEMPLATE_VERSION = 1

const quiet = createLogger({ level: 'silent', program: 'test' })

/** A server on the engine, for the time of `work`. */
const serving = async (engine: Engine) => {
  const directory = await makeSocketDirectory()
  const server = await serve({ engine, socketPath: directory.path })
  const connection: PostgresConnection = {
    host: directory.host,
    port: directory.port,
    user: 'postgres',
    database: 'postgres',
  }
  return {
    connection,
    async stop() {
      await server.close()
      await engine.close()
      await directory.remove()
    },
  }
}

const makeTemplate = async (): Promise<Blob> => {
  const engine = await openEngine({})
  const server = await serving(engine)
  const pool = createPool({ connection: server.connection, max: 1, logger: quiet })
  await migratePostgres(pool, { logger: quiet })
  await pool.end()
  const template = await engine.dump()
  await server.stop()
  return template
}

/** Those of other migrations, 40 MB each. */
const removeTemplates = async (): Promise<void> => {
  const kept = (await readdir(CACHE)).filter(name => /^postgres-[0-9a-f]+\.tar$/.test(name))
  await Promise.all(kept.map(name => rm(new URL(name, CACHE), { force: true })))
}

/** The data directory with every migration applied, made once and kept in `.cache` until a migration changes. */
const template = async (): Promise<Blob> => {
  const hash = createHash('sha256').update(String(TEMPLATE_VERSION))
  for (const { name, checksum } of await readMigrations()) hash.update(name).update(checksum)
  const file = new URL(`postgres-${hash.digest('hex').slice(0, 16)}.tar`, CACHE)
  const kept = await readFile(file).catch(() => null)
  if (kept !== null) return new Blob([kept])
  const made = await makeTemplate()
  await mkdir(CACHE, { recursive: true })
  // Renamed into place, so that a test file that starts meanwhile never reads half of it.
  const partial = new URL(`${file.href}.${process.pid}`)
  await writeFile(partial, Buffer.from(await made.arrayBuffer()))
  await removeTemplates()
  await rename(partial, file)
  return made
}

export interface TestDatabase {
  readonly database: Database
  /** The same database as its owner: row-level security does not apply. */
  readonly pool: pg.Pool
  /** How further pools connect. */
  readonly connection: PostgresConnection
  /** Makes workspaces, each in a tenant of its own. */
  workspaces(count: number): Promise<WorkspaceId[]>
  stop(): Promise<void>
}

/** A database in memory, migrated and empty, spoken to as the real one is. Takes about a second; `stop` it after the tests. */
export const startTestDatabase = async (): Promise<TestDatabase> => {
  const engine = await openEngine({ template: await template() })
  const server = await serving(engine)
  const pool = createPool({ connection: server.connection, max: 4, logger: quiet })
  const database = createDatabase(pool)
  return {
    database,
    pool,
    connection: server.connection,
    async workspaces(count) {
      const ids: WorkspaceId[] = []
      for (let made = 0; made < count; made += 1) {
        const tenantId = newId<TenantId>()
        const workspaceId = newId<WorkspaceId>()
        await pool.query('insert into tenants (id, name) values ($1, $2)', [tenantId, 'Test tenant'])
        await pool.query('insert into workspaces (id, tenant_id, slug, name) values ($1, $2, $3, $4)', [
          workspaceId,
          tenantId,
          `w-${workspaceId}`,
          'Test workspace',
        ])
        ids.push(workspaceId)
      }
      return ids
    },
    async stop() {
      await database.close()
      await server.stop()
    },
  }
}
