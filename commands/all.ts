import { serveBackups } from '../infra/backup/backup-socket.ts'
import { measureData } from '../infra/backup/measure-data.ts'
import { mailConnection } from '../infra/mail/config.ts'
import { classifierEndpoint, embeddingsEndpoint, judgeEndpoint, MODELS_CONFIG } from '../infra/models/config.ts'
import type { ConfigOf } from '../infra/runtime/config.ts'
import { openDataDirectory } from '../infra/runtime/data-directory.ts'
import { AssayError } from '../infra/runtime/errors.ts'
import { createHealthProbes, createMetricsProbe, startProbeServer } from '../infra/runtime/listen.ts'
import { exposeTogether } from '../infra/runtime/metrics.ts'
import { runProgram } from '../infra/runtime/program.ts'
import { EMBEDDED_CONFIG, KEY_CONFIG, METRICS_CONFIG, PROGRAM_CONFIG } from '../infra/runtime/program-config.ts'
import { createSealer } from '../infra/runtime/secrets.ts'
import { optional } from '../infra/runtime/settings.ts'
import { STORES_CONFIG, startStores } from '../infra/stores.ts'
import { TELEMETRY_CONFIG } from '../infra/telemetry/config.ts'
import { INGEST_CONFIG } from '../ingest/config.ts'
import { claimPort } from '../ingest/http/claimed-port.ts'
import { openIngest } from '../ingest/main.ts'
import { PROCESSORS_CONFIG } from '../processors/config.ts'
import { assertWorking } from '../processors/framework/health.ts'
import { startProcessorsThread } from '../processors/start-thread.ts'
import { describeTopology } from '../processors/topology.ts'
import { QUERY_API_CONFIG } from '../query-api/config.ts'
import { openQueryApi } from '../query-api/main.ts'
import { createBackups } from './make-backup.ts'
import { startRewriting } from './rewrite-files.ts'

export const ALL_CONFIG = {
  ...PROGRAM_CONFIG,
  ...TELEMETRY_CONFIG,
  ...EMBEDDED_CONFIG,
  ...KEY_CONFIG,
  installationKey: optional(KEY_CONFIG.installationKey),
  ...STORES_CONFIG,
  ...QUERY_API_CONFIG,
  ...INGEST_CONFIG,
  ...METRICS_CONFIG,
  ...PROCESSORS_CONFIG,
  ...MODELS_CONFIG,
}

const greeting = (address: string, dataDirectory: string): string => `
Assay is running at ${address}, with its data in ${dataDirectory}

  1. Sign up:            ${address}/sign-up
  2. Create a source:    ${address}/app/settings/sources (shows a curl that sends your first signal)
  3. Connect an agent:   ${address}/app/settings/connect-agents

Ctrl+C stops it. What was answered 200 is kept.
`

/**
 * Throws `invalid_configuration` when some signals would never be processed: no other program can read a log in a data
 * directory.
 */
const assertServesAll = ({ kafkaBrokers, heads, segments }: ConfigOf<typeof ALL_CONFIG>): void => {
  const all = describeTopology(heads).segments.map(({ head }) => head)
  const leftOut = all.filter(head => !segments.includes(head))
  if (kafkaBrokers !== null || segments.length === 0 || leftOut.length === 0) return
  const message = `PIPELINE_SEGMENTS leaves out ${leftOut.join(', ')}, and no other program reads the log of this data directory: signals would wait there for ever. Unset it, or name ${all.join(',')}.`
  throw new AssayError('invalid_configuration', message)
}

/**
 * Runs the three programs in this process, on embedded stores unless others are configured. Takes its ports before it
 * opens any data. Parts stop in the opposite order: the edge first, the stores last. Resolves once it serves.
 */
export const runAll = (config: ConfigOf<typeof ALL_CONFIG>): Promise<void> =>
  runProgram({ name: 'assay', logLevel: config.logLevel, telemetry: config }, async program => {
    const { logger, health, metrics, lifecycle } = program
    // Checked before anything is started.
    mailConnection(config)
    assertServesAll(config)
    // A dependency of one of these parts must not stop the edge from taking signals.
    const parts = { processors: health.part(), 'query-api': health.part() }
    let ofProcessors = async (): Promise<string> => ''
    const claimed = await claimPort(config)
    lifecycle.onStop('the port', claimed.close)
    const { metricsHost: host, metricsPort: port } = config
    if (port !== null) {
      const where = { host, port, variables: 'METRICS_PORT or METRICS_HOST' }
      const probes = createMetricsProbe({ expose: exposeTogether(metrics, () => ofProcessors()) })
      const { stop } = await startProbeServer({ ...where, probes })
      lifecycle.onStop('the metrics', stop)
    }
    const data = await openDataDirectory(config.dataDirectory)
    lifecycle.onStop('the data directory', data.release)
    const { acceptNewKey } = config
    const installationKey = await data.loadKey(config)
    const { connectLog, postgres, analytics, embedded } = await startStores({ config, data, logger, lifecycle })
    measureData(metrics, data.path)
    if (embedded !== null) {
      const openBackup = createBackups(embedded, installationKey)
      const backups = await serveBackups(data.path, openBackup, logger)
      lifecycle.onStop('the backups', backups.stop)
      const rewriting = startRewriting({ engines: embedded, sealer: createSealer(installationKey), openBackup, logger })
      lifecycle.onStop('the rewriting of files', rewriting.stop)
    }
    const embeddings = embeddingsEndpoint(config)

    const processors = await startProcessorsThread({
      log: connectLog(),
      postgres,
      analytics,
      embeddings,
      judge: judgeEndpoint(config),
      classifier: classifierEndpoint(config),
      installationKey,
      acceptNewKey,
      rewritesFiles: embedded !== null,
      settings: { ...config, snapshotsDirectory: config.snapshotsDirectory ?? data.file('index-snapshots') },
      logLevel: config.logLevel,
      telemetry: config,
    })
    lifecycle.onStop('the processors', processors.stop)
    parts.processors.check('processors', async () => assertWorking(await processors.health()))
    ofProcessors = processors.metrics

    const baseUrl = config.baseUrl ?? `http://localhost:${claimed.port}`
    const queryApi = await openQueryApi({
      program: { ...program, health: parts['query-api'] },
      log: connectLog(),
      postgres,
      analytics,
      embeddings,
      installationKey,
      acceptNewKey,
      settings: { ...config, baseUrl },
    })
    await openIngest({
      program,
      log: connectLog(),
      postgres,
      installationKey,
      acceptNewKey,
      settings: config,
      limitsFile: data.file('limits.json'),
      claimed,
      probes: createHealthProbes(health, parts),
      fallback: queryApi.fetch,
    })
    lifecycle.onStop('the event streams', queryApi.drain)
    process.stdout.write(greeting(baseUrl, data.path))
  })
