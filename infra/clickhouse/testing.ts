import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '../runtime/logger.ts'
import { type AnalyticsConnection, createAnalytics, createClickHouseClient } from './client.ts'
import { parseClickHouseUrl } from './config.ts'
import { startEmbeddedClickHouse } from './embedded/index.ts'
import { migrateClickHouse } from './migrate.ts'
import type { Analytics } from './port.ts'

export interface TestAnalytics {
  readonly analytics: Analytics
  readonly connection: AnalyticsConnection
  stop(): Promise<void>
}

interface TestServer {
  readonly connection: AnalyticsConnection
  stop(): Promise<void>
}

const logger = createLogger({ level: 'silent', program: 'test' })

const startEmbedded = async (): Promise<TestServer> => {
  const directory = await mkdtemp(join(tmpdir(), 'assay-clickhouse-'))
  const { stop, url, username, password } = await startEmbeddedClickHouse({ directory, logger })
  return {
    // Nothing but texts, as it is handed to threads.
    connection: { url, username, password, database: 'assay' },
    async stop() {
      await stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Removes a database that a test made. */
export const dropDatabase = async (connection: AnalyticsConnection): Promise<void> => {
  const client = createClickHouseClient({ ...connection, database: 'default' }, logger)
  try {
    await client.command({
      query: 'DROP DATABASE IF EXISTS {name: Identifier} SYNC',
      query_params: { name: connection.database },
    })
  } finally {
    await client.close()
  }
}

const useServer = (url: string): TestServer => {
  const connection = { ...parseClickHouseUrl(url), database: `assay_test_${randomUUID().replaceAll('-', '')}` }
  return { connection, stop: () => dropDatabase(connection) }
}

/**
 * An analytics database of its own, migrated and empty: in the server of CLICKHOUSE_URL where that is set, else
 * embedded, one a process. Takes under a second; `stop` it after the tests.
 */
export const startTestAnalytics = async (): Promise<TestAnalytics> => {
  const { CLICKHOUSE_URL: url } = process.env
  const server = url ? useServer(url) : await startEmbedded()
  await migrateClickHouse(server.connection, { logger })
  const analytics = createAnalytics(server.connection, { logger })
  return {
    analytics,
    connection: server.connection,
    async stop() {
      await analytics.close()
      await server.stop()
    },
  }
}
