import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { newId, type TenantId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { createDatabase } from './database.ts'
import { createPool, type PostgresConnection } from './pool.ts'
import type { Database } from './port.ts'
import {
  makeTemplate,
  silentLogger,
  startEmbeddedForTests,
  type TestServer,
  templateHash,
  withPool,
} from './testing-embedded.ts'

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

/**
 * A database of its own, migrated and empty: in the server of DATABASE_URL where that is set, else embedded in memory.
 * Takes about a second; `stop` it after the tests.
 */
export const startTestDatabase = async (): Promise<TestDatabase> => {
  const { DATABASE_URL: url } = process.env
  return testDatabaseOn(await (url ? createDatabaseForTests(url) : startEmbeddedForTests()))
}

/** The same on a server that was started already; `stop` ends it. */
export const testDatabaseOn = (server: TestServer): TestDatabase => {
  const pool = createPool({ connection: server.connection, max: 4, logger: silentLogger })
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

/** A database that counts the transactions that were begun on it, and those that are open. */
export const countTransactions = (database: Database) => {
  let begun = 0
  let open = 0
  const counting: Database = {
    ...database,
    transaction: (scope, work) => {
      begun += 1
      return database.transaction(scope, async transaction => {
        open += 1
        return work(transaction).finally(() => {
          open -= 1
        })
      })
    },
  }
  return { database: counting, begun: () => begun, open: () => open }
}

/** A database that tells of each statement, once it is answered, which rows it answered. */
export const watchStatements = (database: Database, onAnswered: (rows: readonly object[]) => void): Database => ({
  ...database,
  transaction: (scope, work) =>
    database.transaction(scope, transaction =>
      work({
        async query<Row extends object>(statement: string, values?: readonly unknown[]) {
          const rows = await transaction.query<Row>(statement, values)
          onAnswered(rows)
          return rows
        },
      }),
    ),
})

const PREFIX = 'assay_test_template_'
/** Test files of several processes take turns at templates. */
const LOCK = 4_410_729_355

const databaseOf = (url: string, name: string): string => {
  const other = new URL(url)
  other.pathname = `/${name}`
  return other.href
}

const templatesOn = async (pool: pg.Pool): Promise<{ name: string; finished: boolean }[]> => {
  const { rows } = await pool.query<{ name: string; finished: boolean }>(
    'select datname as name, datistemplate as finished from pg_database where starts_with(datname, $1)',
    [PREFIX],
  )
  return rows
}

const remove = async (pool: pg.Pool, name: string): Promise<void> => {
  await pool.query(`alter database ${name} is_template false`)
  await pool.query(`drop database ${name} with (force)`)
}

/** The database to copy, made once for these migrations. Those of others, and one that was never finished, go. */
const prepareTemplate = async (pool: pg.Pool, url: string): Promise<string> => {
  const template = `${PREFIX}${await templateHash()}`
  let isThere = false
  for (const { name, finished } of await templatesOn(pool)) {
    if (name === template && finished) isThere = true
    else await remove(pool, name)
  }
  if (isThere) return template
  await pool.query(`create database ${template}`)
  await makeTemplate(databaseOf(url, template))
  await pool.query(`alter database ${template} is_template true`)
  return template
}

/**
 * A database of its own in the server behind the URL, whose user must be allowed to create databases; migrated and
 * empty.
 */
export const createDatabaseForTests = async (url: string): Promise<TestServer> => {
  const name = `assay_test_${randomUUID().replaceAll('-', '')}`
  await withPool(url, async pool => {
    // Of the pool's one connection, which ends with it.
    await pool.query('select pg_advisory_lock($1)', [LOCK])
    await pool.query(`create database ${name} template ${await prepareTemplate(pool, url)}`)
  })
  return {
    connection: databaseOf(url, name),
    stop: () => withPool(url, async pool => void (await pool.query(`drop database ${name} with (force)`))),
  }
}
