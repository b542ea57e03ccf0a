import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AnalyticsConnection, createAnalytics } from '../clickhouse/client.ts'
import { createLogger } from '../runtime/logger.ts'
import { type Engine, type EngineOptions, HOST } from './engine.ts'
import { createDaemon } from './process.ts'

const USER = 'assay'
const DATABASE = 'assay'
const PROGRAM = fileURLToPath(new URL('./clickhouse-server.ts', import.meta.url))

const logger = createLogger({ level: 'silent', program: 'stack' })

/** ClickHouse's engine, from the package chdb, as a process behind ClickHouse's HTTP interface. */
export const createClickHouse = ({ directory, config, password }: EngineOptions): Engine => {
  const { clickhousePort: port } = config
  const connection: AnalyticsConnection = {
    url: `http://${HOST}:${port}`,
    username: USER,
    password,
    // The migrations create the programs' own database.
    database: 'default',
  }
  const daemon = createDaemon({ directory, name: 'clickhouse' })

  return {
    name: 'clickhouse',
    variables: { CLICKHOUSE_URL: `http://${USER}:${encodeURIComponent(password)}@${HOST}:${port}/${DATABASE}` },
    ports: { STACK_CLICKHOUSE_PORT: port },
    daemon,
    async install() {
      // npm installed it with the other packages.
    },
    async start() {
      await daemon.start({
        command: process.execPath,
        parameters: ['--disable-warning=ExperimentalWarning', PROGRAM, join(directory, 'clickhouse'), String(port)],
        env: { CLICKHOUSE_PASSWORD: password },
      })
    },
    async ready() {
      const analytics = createAnalytics(connection, { logger })
      try {
        await analytics.ping()
      } finally {
        await analytics.close()
      }
    },
  }
}
