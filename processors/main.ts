import { type AnalyticsConnection, createAnalytics } from '../infra/clickhouse/client.ts'
import { CLICKHOUSE_CONFIG, parseClickHouseUrl } from '../infra/clickhouse/config.ts'
import { assertClickHouseMigrated } from '../infra/clickhouse/migrate.ts'
import { KAFKA_CONFIG, kafkaConnection } from '../infra/log/config.ts'
import { connectLog, type LogConnection } from '../infra/log/connect.ts'
import { chooseClassifier, chooseEmbedder, chooseJudge, watchChat, watchEmbedder } from '../infra/models/choose.ts'
import { classifierEndpoint, embeddingsEndpoint, judgeEndpoint, MODELS_CONFIG } from '../infra/models/config.ts'
import { createEmbedderThread } from '../infra/models/embedder-thread.ts'
import type { OpenAiEmbedderOptions } from '../infra/models/openai-embedder.ts'
import type { ModelEndpoint } from '../infra/models/post-json.ts'
import { createDatabase } from '../infra/postgres/database.ts'
import { assertPostgresMigrated } from '../infra/postgres/migrate.ts'
import { createPool, POSTGRES_CONFIG, type PostgresConnection } from '../infra/postgres/pool.ts'
import type { Database } from '../infra/postgres/port.ts'
import type { ConfigOf } from '../infra/runtime/config.ts'
import { AssayError } from '../infra/runtime/errors.ts'
import { createProbes, startProbeServer } from '../infra/runtime/listen.ts'
import type { Logger } from '../infra/runtime/logger.ts'
import type { Metrics } from '../infra/runtime/metrics.ts'
import { runProgram } from '../infra/runtime/program.ts'
import { KEY_CONFIG, keyOf, PROGRAM_CONFIG, serverConfig } from '../infra/runtime/program-config.ts'
import { createPseudonymizer, createSealer, type InstallationKey } from '../infra/runtime/secrets.ts'
import { hurry, isInBackground } from '../infra/runtime/yielding.ts'
import { TELEMETRY_CONFIG } from '../infra/telemetry/config.ts'
import { tracedAnalytics, tracedDatabase } from '../infra/telemetry/spans.ts'
import { createCodecs } from '../model/codecs.ts'
import { storedFingerprints } from '../model/embedding-fingerprints/embedding-fingerprints.ts'
import { createKeyCheck } from '../model/installation/installation-key.ts'
import { createNeighbours } from '../model/neighbours/neighbours.ts'
import { createSnapshots } from '../model/neighbours/snapshots.ts'
import { createWords } from '../model/words/words.ts'
import { PROCESSORS_CONFIG, type ProcessorSettings } from './config.ts'
import { assertWorking } from './framework/health.ts'
import { isPolling } from './framework/poll.ts'
import { createLongSignals } from './long-signals/long-signals.ts'
import { type Processors, startProcessors } from './processors.ts'
import { createBuiltInClassifier } from './steps/classify/built-in/classifier.ts'

/** Settings of the processors as a program of their own. */
export const PROCESSORS_PROGRAM_CONFIG = {
  ...PROGRAM_CONFIG,
  ...TELEMETRY_CONFIG,
  ...KEY_CONFIG,
  ...serverConfig(8083),
  ...KAFKA_CONFIG,
  ...POSTGRES_CONFIG,
  ...CLICKHOUSE_CONFIG,
  ...MODELS_CONFIG,
  ...PROCESSORS_CONFIG,
}

/** Everything that the processors are opened with. A worker thread can receive it. */
export interface ProcessorsConnections {
  readonly log: LogConnection
  readonly postgres: PostgresConnection
  readonly analytics: AnalyticsConnection
  /** Null: the built-in embedder. */
  readonly embeddings: OpenAiEmbedderOptions | null
  /** Null: no judge. */
  readonly judge: ModelEndpoint | null
  /** Null: the built-in classifier. */
  readonly classifier: ModelEndpoint | null
  readonly installationKey: InstallationKey
  readonly acceptNewKey: boolean
  /**
   * True when the built-in embedder has a thread of its own, which takes 30 MB. Default: false, as in one process with
   * the stores, which has threads enough for its processors.
   */
  readonly embedsApart?: boolean
  /** True when the process rewrites the stores' files after an erasure and searches them. Default: false. */
  readonly rewritesFiles?: boolean
  readonly settings: ProcessorSettings
}

interface Surroundings {
  readonly logger: Logger
  readonly metrics: Metrics
}

export interface OpenProcessors {
  /** Resolves once records are consumed, after the stores are there. Rejects with `invalid_configuration`. */
  readonly started: Promise<Processors>
  /** Each rejects while its dependency cannot be used. */
  readonly checks: Readonly<Record<'log' | 'database' | 'analytics', () => Promise<void>>>
  /** Finishes the running batches, then closes the connections. */
  stop(): Promise<void>
}

/** Connections of each pool. Bulk has as many as the pipeline; polling needs little time. */
const CONNECTIONS = { pipeline: 6, bulk: 6, polling: 2 }

/** Sends background work and polling to pools of their own, which Postgres serves with lower priority. */
const byPriority = (databases: Readonly<Record<keyof typeof CONNECTIONS, Database>>): Database => ({
  transaction: (scope, work) => {
    if (isInBackground()) return hurry(() => databases.bulk.transaction(scope, work))
    return (isPolling() ? databases.polling : databases.pipeline).transaction(scope, work)
  },
  ping: databases.pipeline.ping,
  close: async () => void (await Promise.all(Object.values(databases).map(database => database.close()))),
})

/** Interval of the search for void snapshots. */
const SWEEP_MS = 600_000

export const openProcessors = (given: ProcessorsConnections, { logger, metrics }: Surroundings): OpenProcessors => {
  const { installationKey, settings } = given
  const { log, registry } = connectLog(given.log, 'processors', logger)
  const poolOf = (priority: keyof typeof CONNECTIONS) =>
    createPool({ connection: given.postgres, max: CONNECTIONS[priority], priority, logger })
  const pool = poolOf('pipeline')
  const database = tracedDatabase(
    byPriority({
      pipeline: createDatabase(pool),
      bulk: createDatabase(poolOf('bulk')),
      polling: createDatabase(poolOf('polling')),
    }),
  )
  const analytics = tracedAnalytics(createAnalytics(given.analytics, { logger }))
  const assertOwnKey = createKeyCheck(database, given)
  const checks = {
    log: log.ping,
    database: async () => {
      await assertPostgresMigrated(pool)
      await assertOwnKey()
    },
    analytics: () => assertClickHouseMigrated(analytics),
  }
  const embedderThread = given.embedsApart === true ? createEmbedderThread(logger) : undefined
  const long = createLongSignals({ installationKey, cpuBudgetMs: settings.stepCpuBudgetMs }, logger)
  const { snapshotsDirectory } = settings
  const snapshots = snapshotsDirectory === null ? null : createSnapshots(snapshotsDirectory)
  // Removes snapshots that still hold erased data. After an error the next sweep tries again.
  const sweeping =
    snapshots === null ? undefined : setInterval(() => void snapshots.sweep(database).catch(() => {}), SWEEP_MS).unref()
  const started = startProcessors({
    log,
    apart: long.runStep,
    ...createCodecs(registry),
    database,
    neighbours: createNeighbours({ maxBytes: settings.neighboursMegabytes * 1024 * 1024, snapshots }),
    words: createWords({ maxBytes: settings.wordsMegabytes * 1024 * 1024 }),
    analytics,
    embedder: chooseEmbedder(given.embeddings, storedFingerprints(database), watchEmbedder(metrics), embedderThread),
    judge: chooseJudge(given.judge, watchChat(metrics, 'judge')),
    classifier:
      chooseClassifier(given.classifier, watchChat(metrics, 'classifier')) ??
      createBuiltInClassifier(settings.stepCpuBudgetMs),
    actorKey: createPseudonymizer(installationKey, 'actors'),
    sealer: createSealer(installationKey),
    rewritesFiles: given.rewritesFiles ?? false,
    settings,
    logger,
    metrics,
    assertReady: async () => void (await Promise.all([checks.database(), checks.analytics()])),
  })
  return {
    started,
    checks,
    async stop() {
      clearInterval(sweeping)
      await (await started).stop()
      await Promise.all([embedderThread?.stop(), long.stop(), log.close(), database.close(), analytics.close()])
    },
  }
}

/** Runs the processors as a program of their own, with probes on its port. Resolves once they consume. */
export const runProcessors = (config: ConfigOf<typeof PROCESSORS_PROGRAM_CONFIG>): Promise<void> =>
  runProgram({ name: 'processors', logLevel: config.logLevel, telemetry: config }, async program => {
    const { health, metrics, lifecycle } = program
    const { host } = config
    const server = await startProbeServer({ host, port: config.port, probes: createProbes(health, metrics) })
    lifecycle.onStop('the probes', server.stop)
    const { started, checks, stop } = openProcessors(
      {
        log: kafkaConnection(config),
        postgres: config.databaseUrl,
        analytics: parseClickHouseUrl(config.clickhouseUrl),
        embeddings: embeddingsEndpoint(config),
        judge: judgeEndpoint(config),
        classifier: classifierEndpoint(config),
        installationKey: keyOf(config),
        acceptNewKey: config.acceptNewKey,
        embedsApart: true,
        settings: config,
      },
      program,
    )
    for (const [name, check] of Object.entries(checks)) health.check(name, check)
    let processors: Processors | null = null
    health.check('processors', async () => {
      if (processors === null) throw new AssayError('unavailable', 'The processors wait for the log and the stores.')
      assertWorking(await processors.health())
    })
    process.stdout.write(`The processors answer probes on http://${host}:${server.port}\n`)
    processors = await started
    lifecycle.onStop('the processors', stop)
  })
