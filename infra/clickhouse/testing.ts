import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '../runtime/logger.ts'
import { type AnalyticsConnection, createAnalytics } from './client.ts'
import { startEmbeddedClickHouse } from './embedded/index.ts'
import { migrateClickHouse } from './migrate.ts'
import type { Analytics } from './port.ts'

export interface TestAnalytics {
  readonly analytics: Analytics
  readonly connection: AnalyticsConnection
  stop(): Promise<void>
}

/** An analytics database of its own, migrated and empty. Takes under a second; `stop` it after the tests. One a process. */
export const startTestAnalytics = async (): Promise<TestAnalytics> => {
  const logger = createLogger({ level: 'silent', program: 'test' })
  const directory = await mkdtemp(join(tmpdir(), 'assay-clickhouse-'))
  const { stop, ...address } = await startEmbeddedClickHouse({ directory, logger })
  const connection = { ...address, database: 'assay' }
  await migrateClickHouse(connection, { logger })
  const analytics = createAnalytics(connection, { logger })
  return {
    analytics,
    connection,
    async stop() {
      await analytics.close()
      await stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
