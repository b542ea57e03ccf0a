import { createDatabase } from '../../infra/postgres/database.ts'
import { assertPostgresMigrated, migratePostgres } from '../../infra/postgres/migrate.ts'
import { createPool } from '../../infra/postgres/pool.ts'
import { parseConfig } from '../../infra/runtime/config.ts'
import { createHealth } from '../../infra/runtime/health.ts'
import { createProbes } from '../../infra/runtime/listen.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { createMetrics } from '../../infra/runtime/metrics.ts'
import { INSTALLATION_KEY_BYTES } from '../../infra/runtime/secrets.ts'
import { QUERY_API_CONFIG } from '../config.ts'
import { startServer } from '../http/server.ts'
import { readOperation, Type } from '../operations/define.ts'
import { createKey } from '../operations/keys/create-key.ts'
import { registryOf } from '../operations/registry.ts'
import { startQueryApi } from '../query-api.ts'
import { defineTool } from '../tools/define-tool.ts'

/**
 * The query API with a tool that does nothing, to measure a call's cost outside of the tool: keys, checks, metering and
 * activity are real, on the PostgreSQL of the URL. Prints its address; `/cpu` answers the used CPU.
 */
const [databaseUrl = '', port = '0'] = process.argv.slice(2)
const logger = createLogger({ level: 'warn', program: 'nothing' })
const baseUrl = `http://127.0.0.1:${port}`

const nothing = readOperation({
  name: 'do_nothing',
  title: 'Do nothing',
  summary: 'Answers that it did nothing.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({}),
  output: Type.Object({ done: Type.String() }),
  run: async () => ({ data: { done: 'nothing' } }),
})

const pool = createPool({ connection: databaseUrl, max: 6, logger })
await migratePostgres(pool, { logger })
const metrics = createMetrics({ program: 'nothing', ofProcess: false })
const api = await startQueryApi({
  database: createDatabase(pool),
  accountsPool: createPool({ connection: databaseUrl, max: 2, logger }),
  assertMigrated: () => assertPostgresMigrated(pool),
  analytics: {
    query: async () => [],
    insert: async () => {},
    remove: async () => {},
    rewrite: async () => {},
    ping: async () => {},
    close: async () => {},
  },
  pingLog: async () => {},
  pingRegistry: async () => {},
  embedder: { model: 'none', limitation: null, embed: async () => [] },
  mailer: null,
  appendSignal: async () => {},
  encodeSignal: () => Promise.reject(new Error('No record is made here.')),
  readSignal: () => Promise.reject(new Error('No record is read here.')),
  installationKey: new Uint8Array(INSTALLATION_KEY_BYTES).fill(7),
  logger,
  metrics,
  settings: { ...parseConfig(QUERY_API_CONFIG, {}), baseUrl, signUp: 'open', signOn: null },
  operations: registryOf([nothing, createKey]),
  tools: [defineTool({ name: 'service_nothing', title: 'Nothing', description: 'Does nothing.', modes: { nothing } })],
})
await startServer({
  host: '127.0.0.1',
  port: Number(port),
  clientAddressHeader: null,
  probes: createProbes(createHealth(), metrics),
  handler: async request =>
    new URL(request.url).pathname === '/cpu' ? Response.json(process.cpuUsage()) : api.fetch(request),
})
console.log(baseUrl)
