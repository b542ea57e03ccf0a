/**
 * A program for tests: makes the tables of the migrations as replicated ones, with the engine in this process and its
 * keeper for tests, and writes what they became as a line of JSON. Nothing replicates what is in them, and the engine
 * does not end well: whoever starts it ends it. Its directory has the configuration.
 */
import { createLogger } from '../runtime/logger.ts'
import { createClickHouseClient } from './client.ts'
import { startEmbeddedClickHouse } from './embedded/index.ts'
import { migrateClickHouse, ownStatements } from './migrate.ts'
import { LOCAL_TABLES, statementFor } from './table-form.ts'

const MADE = `
  SELECT name, engine, create_table_query AS written FROM system.tables
  WHERE database = 'replicated' AND engine != 'MaterializedView'`

const logger = createLogger({ level: 'silent', program: 'test' })
const { url, username, password } = await startEmbeddedClickHouse({ directory: 'data', logger })
const connection = { url, username, password, database: 'replicated' }
const server = createClickHouseClient({ ...connection, database: 'default' }, logger)
const client = createClickHouseClient(connection, logger)

await server.command({ query: 'CREATE DATABASE replicated' })
for (const statement of await ownStatements()) {
  if (!statement.startsWith('CREATE TABLE')) continue
  await client.command({ query: statementFor({ isReplicated: true, cluster: null }, statement) })
}
const made = await (await server.query({ query: MADE, format: 'JSONEachRow' })).json()
const refused = await migrateClickHouse(connection, { logger, tables: LOCAL_TABLES }).catch(
  error => error.publicMessage,
)
process.stdout.write(`${JSON.stringify({ made, refused })}\n`)
