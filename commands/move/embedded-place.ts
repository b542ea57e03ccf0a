import { mkdir } from 'node:fs/promises'
import { openAnalyticsTables } from '../../infra/clickhouse/migrate.ts'
import { openEmbeddedContents } from '../../infra/log/embedded/contents.ts'
import { startEmbeddedLog } from '../../infra/log/embedded/index.ts'
import { MIGRATION_STATEMENT_MS } from '../../infra/postgres/migrate.ts'
import { openOwned } from '../../infra/postgres/pool.ts'
import { type DataDirectory, openDataDirectory } from '../../infra/runtime/data-directory.ts'
import { readMoveMark, removeMoveMark, writeMoveMark } from '../../infra/runtime/move-mark.ts'
import type { Program } from '../../infra/runtime/program.ts'
import { startEmbeddedAnalytics, startEmbeddedDatabase } from '../../infra/stores.ts'
import { type Place, settleActivity } from './place.ts'
import type { MoveConfig } from './settings.ts'

type Means = Pick<Program, 'logger' | 'lifecycle'>

/** Marks the log's files as open during the work. */
const withLog = async <T>(data: DataDirectory, open: () => Promise<T>): Promise<T> => {
  data.contents.opening('log')
  const opened = await open()
  await data.contents.opened('log')
  return opened
}

/** The stores of DATA_DIR while no Assay runs on them. Rejects with `already_running` when one does. */
export const openEmbeddedPlace = async (
  config: MoveConfig,
  { logger, lifecycle }: Means,
  isSource: boolean,
): Promise<Place> => {
  const data = await openDataDirectory(config.dataDirectory, { toMove: true })
  lifecycle.onStop('the data directory', data.release)
  const mark = readMoveMark(data.path)
  const key = isSource ? await data.loadKey({ installationKey: config.installationKey, acceptNewKey: false }) : null
  const postgres = await startEmbeddedDatabase({ data, logger, lifecycle })
  const clickHouse = await startEmbeddedAnalytics({ data, logger, lifecycle })
  const database = await openOwned({ connection: postgres, statementTimeoutMs: MIGRATION_STATEMENT_MS, logger })
  lifecycle.onStop('the database’s connection', database.close)
  const analytics = openAnalyticsTables(clickHouse, logger)
  lifecycle.onStop('the analytics client', analytics.close)

  return {
    name: `the data directory ${data.path}`,
    database,
    analytics,
    key,
    async openLog() {
      await mkdir(data.file('log'), { recursive: true, mode: 0o700 })
      const contents = await withLog(data, async () => openEmbeddedContents(data.file('log')))
      lifecycle.onStop('the log', async () => {
        await contents.close()
        data.contents.closed('log')
      })
      return contents
    },
    async settle() {
      const log = await withLog(data, () => startEmbeddedLog({ directory: data.file('log'), logger }))
      try {
        const connection = { kind: 'embedded', port: log.connect() } as const
        await settleActivity({
          log: connection,
          analytics: clickHouse,
          maxRecords: config.activityBlockRecords,
          logger,
        })
      } finally {
        await log.stop()
        data.contents.closed('log')
      }
    },
    leaving: async () => (mark === null || mark.state === 'filling' ? null : { id: mark.id, state: mark.state }),
    noteLeaving: (leaving, elsewhere) => writeMoveMark(data.path, { ...leaving, elsewhere }),
    noteFilling: (id, elsewhere) => writeMoveMark(data.path, { id, state: 'filling', elsewhere }),
    keepKey: data.keepKey,
    noteArrived: async () => removeMoveMark(data.path),
  }
}
