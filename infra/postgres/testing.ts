import type pg from 'pg'
import { newId, type TenantId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { createDatabase } from './database.ts'
import { createPool, type PostgresConnection } from './pool.ts'
import type { Database } from './port.ts'
import { startEmbeddedForTests } from './testing-embedded.ts'
import { createDatabaseForTests } from './testing-server.ts'
import { silentLogger, type TestServer } from './testing-template.ts'

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

/** A database that counts the transactions that were begun on it. */
export const countTransactions = (database: Database) => {
  let begun = 0
  const counting: Database = {
    ...database,
    transaction: (scope, work) => {
      begun += 1
      return database.transaction(scope, work)
    },
  }
  return { database: counting, begun: () => begun }
}
