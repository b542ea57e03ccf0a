/** A program: ClickHouse's engine as a server. Arguments: data directory, port. CLICKHOUSE_PASSWORD is the password. */
import { startEmbeddedClickHouse } from '../clickhouse/embedded/index.ts'
import { createLogger } from '../runtime/logger.ts'
import { createLifecycle } from '../runtime/program.ts'

const [, , directory = '', port = ''] = process.argv
const { CLICKHOUSE_PASSWORD: password = '' } = process.env
const logger = createLogger({ level: 'warn', program: 'clickhouse' })
const lifecycle = createLifecycle({ logger })
const server = await startEmbeddedClickHouse({ directory, port: Number(port), password, logger })
lifecycle.onStop('the analytics engine', server.stop)
lifecycle.listen()
