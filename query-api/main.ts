import { type AnalyticsConnection, createAnalytics, type QueryLimits } from '../infra/clickhouse/client.ts'
import { CLICKHOUSE_CONFIG, parseClickHouseUrl } from '../infra/clickhouse/config.ts'
import { assertClickHouseMigrated } from '../infra/clickhouse/migrate.ts'
import { KAFKA_CONFIG, kafkaConnection } from '../infra/log/config.ts'
import { connectLog, type LogConnection } from '../infra/log/connect.ts'
import { mailConnection, type OUTGOING_MAIL_CONFIG } from '../infra/mail/config.ts'
import { createSmtpMailer } from '../infra/mail/smtp-mailer.ts'
import { chooseEmbedder } from '../infra/models/choose.ts'
import { embeddingsEndpoint, MODELS_CONFIG } from '../infra/models/config.ts'
import type { OpenAiEmbedderOptions } from '../infra/models/openai-embedder.ts'
import { createDatabase } from '../infra/postgres/database.ts'
import { assertPostgresMigrated } from '../infra/postgres/migrate.ts'
import { createPool, POSTGRES_CONFIG, type PostgresConnection } from '../infra/postgres/pool.ts'
import type { ConfigOf } from '../infra/runtime/config.ts'
import { AssayError } from '../infra/runtime/errors.ts'
import { createProbes } from '../infra/runtime/listen.ts'
import { type Program, runProgram } from '../infra/runtime/program.ts'
import { KEY_CONFIG, keyOf, PROGRAM_CONFIG, PROXY_CONFIG, serverConfig } from '../infra/runtime/program-config.ts'
import { waitFor } from '../infra/runtime/promises.ts'
import type { InstallationKey } from '../infra/runtime/secrets.ts'
import { TELEMETRY_CONFIG } from '../infra/telemetry/config.ts'
import { tracedAnalytics, tracedDatabase } from '../infra/telemetry/spans.ts'
import { createCodecs } from '../model/codecs.ts'
import { storedFingerprints } from '../model/embedding-fingerprints/embedding-fingerprints.ts'
import { createKeyCheck } from '../model/installation/installation-key.ts'
import { createLaneChoice, createSignalAppender } from '../model/signals/received-signals.ts'
import { type SIGN_ON_CONFIG, signOnSettings } from './accounts/sign-on/config.ts'
import { BASE_URL_CONFIG, QUERY_API_CONFIG } from './config.ts'
import { startServer } from './http/server.ts'
import { type QueryApi, type QueryApiPorts, startQueryApi } from './query-api.ts'

/** Settings of the query API as its own program. */
export const QUERY_API_PROGRAM_CONFIG = {
  ...PROGRAM_CONFIG,
  ...TELEMETRY_CONFIG,
  ...KEY_CONFIG,
  ...serverConfig(8082),
  ...PROXY_CONFIG,
  ...KAFKA_CONFIG,
  ...POSTGRES_CONFIG,
  ...CLICKHOUSE_CONFIG,
  ...MODELS_CONFIG,
  ...QUERY_API_CONFIG,
  ...BASE_URL_CONFIG,
}

export interface QueryApiOptions {
  readonly program: Program
  readonly log: LogConnection
  readonly postgres: PostgresConnection
  readonly analytics: AnalyticsConnection
  /** Null for the built-in embedder. */
  readonly embeddings: OpenAiEmbedderOptions | null
  readonly installationKey: InstallationKey
  readonly acceptNewKey: boolean
  readonly settings: Omit<QueryApiPorts['settings'], 'signOn'> &
    ConfigOf<typeof OUTGOING_MAIL_CONFIG> &
    ConfigOf<typeof SIGN_ON_CONFIG>
}

/**
 * Limits of every analytics query. The call's own timeout is a little longer, for an engine that does not answer at
 * all.
 */
const QUESTION_LIMITS: QueryLimits = {
  seconds: 8,
  memoryBytes: 512 * 1024 * 1024,
  groups: 500_000,
  resultRows: 20_000,
  threads: 2,
}

export interface OpenQueryApi extends QueryApi {
  /** Rejects while the database lacks migrations, and with `invalid_configuration` when another key sealed it. */
  readonly assertMigrated: () => Promise<void>
}

const CONNECTIONS = 6
const ACCOUNT_CONNECTIONS = 2

/** Builds the query API on stores that need not answer yet; the lifecycle closes it. It does not listen. */
export const openQueryApi = async (options: QueryApiOptions): Promise<OpenQueryApi> => {
  const { program, postgres, installationKey, settings } = options
  const { logger, metrics, health, lifecycle } = program
  const smtp = mailConnection(settings)
  if (smtp === null && settings.requireVerifiedEmail) {
    const message =
      'The configuration is not valid.\nREQUIRE_VERIFIED_EMAIL is true and SMTP_URL is not set: nobody could verify an address.'
    throw new AssayError('invalid_configuration', message)
  }
  const { log, registry } = connectLog(options.log, 'query-api', logger)
  const pool = createPool({ connection: postgres, max: CONNECTIONS, logger })
  const database = tracedDatabase(createDatabase(pool))
  const accountsPool = createPool({ connection: postgres, max: ACCOUNT_CONNECTIONS, logger })
  const analytics = tracedAnalytics(createAnalytics(options.analytics, { logger, limits: QUESTION_LIMITS }))
  lifecycle.onStop('the query API’s stores', async () => {
    await Promise.all([log.close(), database.close(), accountsPool.end(), analytics.close()])
  })
  const assertOwnKey = createKeyCheck(database, options)
  const assertMigrated = async () => {
    await assertPostgresMigrated(pool)
    await assertOwnKey()
  }
  health.check('database', assertMigrated)
  // Without analytics people and agents still read and decide; only analysis answers that it is unavailable.
  health.check('analytics', () => assertClickHouseMigrated(analytics), 'degrading')
  const { signalCodec } = createCodecs(registry)
  const queryApi = await startQueryApi({
    database,
    accountsPool,
    assertMigrated,
    analytics,
    pingLog: log.ping,
    // A missing subject costs one request, like an existing one.
    pingRegistry: async () => void (await registry.idsOf('none')),
    embedder: chooseEmbedder(options.embeddings, storedFingerprints(database)),
    mailer: smtp && createSmtpMailer(smtp),
    appendSignal: createSignalAppender(log, signalCodec, createLaneChoice(Date.now)),
    encodeSignal: signalCodec.encode,
    readSignal: signalCodec.decode,
    installationKey,
    logger,
    metrics,
    settings: { ...settings, signOn: signOnSettings(settings) },
  })
  lifecycle.onStop('the query API', queryApi.close)
  return { ...queryApi, assertMigrated }
}

/** The query API as its own program. It listens at once; resolves after the database has confirmed its key. */
export const runQueryApi = (config: ConfigOf<typeof QUERY_API_PROGRAM_CONFIG>): Promise<void> =>
  runProgram({ name: 'query-api', logLevel: config.logLevel, telemetry: config }, async program => {
    const { host, clientAddressHeader } = config
    const queryApi = await openQueryApi({
      program,
      log: kafkaConnection(config),
      postgres: config.databaseUrl,
      analytics: parseClickHouseUrl(config.clickhouseUrl),
      embeddings: embeddingsEndpoint(config),
      installationKey: keyOf(config),
      acceptNewKey: config.acceptNewKey,
      settings: config,
    })
    const server = await startServer({
      host,
      port: config.port,
      clientAddressHeader,
      probes: createProbes(program.health, program.metrics),
      handler: queryApi.fetch,
    })
    program.lifecycle.onStop('the server', server.stop)
    program.lifecycle.onStop('the event streams', queryApi.drain)
    process.stdout.write(`The query API listens on http://${host}:${server.port}\n`)
    await waitFor(queryApi.assertMigrated, { what: 'the database', logger: program.logger })
  })
