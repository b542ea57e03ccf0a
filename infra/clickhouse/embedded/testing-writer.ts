/**
 * A program that inserts blocks of 1,000 rows and says each once it is answered, until it is killed. Its argument is
 * the directory.
 */
import { createLogger } from '../../runtime/logger.ts'
import { createAnalytics, createClickHouseClient } from '../client.ts'
import { startEmbeddedClickHouse } from './index.ts'

const ROWS = 1000
const [, , directory = ''] = process.argv
const logger = createLogger({ level: 'silent', program: 'test' })
const { url, username, password } = await startEmbeddedClickHouse({ directory, logger })
const connection = { url, username, password, database: 'default' }
await createClickHouseClient(connection, logger).command({
  query:
    'CREATE TABLE written (block UInt32, n UInt32) ENGINE = MergeTree ORDER BY (block, n) SETTINGS non_replicated_deduplication_window = 1000',
})
const analytics = createAnalytics(connection, { logger })
for (let block = 1; ; block += 1) {
  const rows = Array.from({ length: ROWS }, (_, n) => ({ block, n }))
  await analytics.insert('written', rows, `block ${block}`)
  process.stdout.write(`${block}\n`)
}
