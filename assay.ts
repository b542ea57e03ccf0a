import { createAnalytics } from './infra/clickhouse/client.ts'
import { type EmbeddedStores, startEmbeddedStores } from './infra/embedded-stores.ts'
import { chooseEmbedder } from './infra/models/choose.ts'
import { embeddingsEndpoint, judgeEndpoint, MODELS_CONFIG } from './infra/models/config.ts'
import { createDatabase } from './infra/postgres/database.ts'
import { createPool } from './infra/postgres/pool.ts'
import { type ConfigOf, parseConfig, renderConfig } from './infra/runtime/config.ts'
import { type DataDirectory, openDataDirectory } from './infra/runtime/data-directory.ts'
import { AssayError, asAssayError } from './infra/runtime/errors.ts'
import { createHealth } from './infra/runtime/health.ts'
import { createLifecycle, type Lifecycle } from './infra/runtime/lifecycle.ts'
import { createLogger } from './infra/runtime/logger.ts'
import { createMetrics, exposeTogether } from './infra/runtime/metrics.ts'
import { EMBEDDED_CONFIG, PROGRAM_CONFIG } from './infra/runtime/program-config.ts'
import { createSealer } from './infra/runtime/secrets.ts'
import { INGEST_CONFIG } from './ingest/config.ts'
import { startIngest } from './ingest/main.ts'
import { createSourceLoader } from './ingest/registry/loader.ts'
import { createCodecs } from './model/codecs.ts'
import { createSignalAppender } from './model/signals/append-signal.ts'
import { PROCESSORS_CONFIG } from './processors/config.ts'
import { startProcessorsThread } from './processors/embedded.ts'
import type { GroupHealth } from './processors/framework/health.ts'
import { QUERY_API_CONFIG } from './query-api/config.ts'
import { startQueryApi } from './query-api/main.ts'

const ALL_CONFIG = {
  ...PROGRAM_CONFIG,
  ...EMBEDDED_CONFIG,
  ...QUERY_API_CONFIG,
  ...INGEST_CONFIG,
  ...PROCESSORS_CONFIG,
  ...MODELS_CONFIG,
}

const USAGE = `Usage: assay <command> [--print-config]

Commands
  all             the edge, the processors and the query API in one process, with embedded stores

Settings are environment variables: see docs/reference/configuration.md.
--print-config    print the settings in force, secrets masked, and stop`

/** Where people and senders reach the service, unless told: this machine. */
const baseUrlOf = ({ baseUrl, port }: ConfigOf<typeof ALL_CONFIG>): string => baseUrl ?? `http://localhost:${port}`

const API_CONNECTIONS = 6
const EDGE_CONNECTIONS = 1
const ACCOUNT_CONNECTIONS = 2

interface Running {
  readonly config: ConfigOf<typeof ALL_CONFIG>
  readonly data: DataDirectory
  readonly stores: EmbeddedStores
  readonly lifecycle: Lifecycle
}

/** Starts the three programs on stores that run already. Parts stop in the opposite order: the edge first, the stores last. */
const startPrograms = async ({ config, data, stores, lifecycle }: Running): Promise<void> => {
  const logger = createLogger({ level: config.logLevel, program: 'assay' })
  const metrics = createMetrics({ program: 'assay' })
  const health = createHealth()
  const { log } = stores.log
  const codecs = createCodecs(log.registry)
  const pool = (max: number) => createPool({ connection: stores.postgres, max, logger })
  const embeddings = embeddingsEndpoint(config)

  const processors = await startProcessorsThread({
    logPort: stores.log.connect(),
    postgres: stores.postgres,
    analytics: stores.analytics,
    embeddings,
    judge: judgeEndpoint(config),
    installationKey: data.installationKey,
    settings: config,
    logLevel: config.logLevel,
  })
  lifecycle.onStop('the processors', processors.stop)

  const database = createDatabase(pool(API_CONNECTIONS))
  const accountsPool = pool(ACCOUNT_CONNECTIONS)
  const analytics = createAnalytics(stores.analytics, { logger })
  const queryApi = await startQueryApi({
    database,
    accountsPool,
    analytics,
    embedder: chooseEmbedder(embeddings),
    appendSignal: createSignalAppender(log, codecs.signalCodec),
    installationKey: data.installationKey,
    logger,
    settings: { ...config, baseUrl: baseUrlOf(config) },
  })
  lifecycle.onStop('the query API', async () => {
    await queryApi.close()
    await Promise.all([database.close(), accountsPool.end(), analytics.close()])
  })

  const edgeDatabase = createDatabase(pool(EDGE_CONNECTIONS))
  lifecycle.onStop('the registry of sources', edgeDatabase.close)
  health.check('database', database.ping)
  health.check('analytics', analytics.ping)
  health.check('processors', async () => assertWorking(await processors.health()))
  const { unseal } = createSealer(data.installationKey)
  const ingest = await startIngest({
    settings: config,
    log,
    ...codecs,
    sources: createSourceLoader({
      database: edgeDatabase,
      unseal,
      onUnreadable: (source, error) => logger.error({ err: error, source }, 'the secret of a source cannot be read'),
    }),
    logger,
    metrics: { ...metrics, expose: exposeTogether(metrics, processors.metrics) },
    health,
    fallback: queryApi.fetch,
  })
  lifecycle.onStop('the edge', () => {
    health.stopping()
    return ingest.stop()
  })
}

const assertWorking = (groups: readonly GroupHealth[]): void => {
  const halted = groups.filter(({ state }) => state !== 'working')
  if (halted.length === 0) return
  const reasons = halted.map(({ group, state, reason }) => `${group} is ${state}${reason === '' ? '' : `: ${reason}`}`)
  throw new AssayError('unavailable', reasons.join('; '))
}

const greeting = (address: string, dataDirectory: string): string => `
Assay is running at ${address}, with its data in ${dataDirectory}

  1. Sign up:            ${address}/sign-up
  2. Create a source:    ${address}/app/settings/sources (shows a curl that sends your first signal)
  3. Connect an agent:   ${address}/app/settings/connect-agents

Ctrl+C stops it. What was answered 200 is kept.
`

/** Everything in this process. Resolves once it serves. */
const all = async (config: ConfigOf<typeof ALL_CONFIG>): Promise<void> => {
  const data = await openDataDirectory(config.dataDirectory)
  const logger = createLogger({ level: config.logLevel, program: 'assay' })
  const lifecycle = createLifecycle({ logger })
  lifecycle.listen()
  lifecycle.onStop('the data directory', data.release)
  try {
    const stores = await startEmbeddedStores({ data, logger, lifecycle })
    await startPrograms({ config, data, stores, lifecycle })
  } catch (error) {
    await lifecycle.stop()
    throw error
  }
  process.stdout.write(greeting(baseUrlOf(config), data.path))
}

/** Runs a command line; answers the exit code, or null while the command goes on. */
const run = async ([command, ...flags]: readonly string[]): Promise<number | null> => {
  if (command === undefined || command === '--help') {
    process.stdout.write(`${USAGE}\n`)
    return 0
  }
  if (command !== 'all' || flags.some(flag => flag !== '--print-config')) {
    process.stderr.write(`${USAGE}\n`)
    return 2
  }
  const config = parseConfig(ALL_CONFIG, process.env)
  if (!flags.includes('--print-config')) {
    await all(config)
    return null
  }
  process.stdout.write(`${renderConfig(ALL_CONFIG, config)}\n`)
  return 0
}

/** What a person is told of an error; what nobody foresaw is for whoever runs this to see whole. */
const explain = ({ code, publicMessage, cause }: AssayError): string =>
  code === 'internal' && cause instanceof Error ? `${publicMessage}\n${cause.stack}` : publicMessage

try {
  const code = await run(process.argv.slice(2))
  if (code !== null) process.exit(code)
} catch (thrown) {
  process.stderr.write(`${explain(asAssayError(thrown))}\n`)
  process.exit(1)
}
