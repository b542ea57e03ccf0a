import type { Log } from '../infra/log/port.ts'
import type { Health } from '../infra/runtime/health.ts'
import { createProbes, type Probes } from '../infra/runtime/listen.ts'
import type { Logger } from '../infra/runtime/logger.ts'
import type { Metrics } from '../infra/runtime/metrics.ts'
import { createShares } from '../infra/runtime/shares.ts'
import type { Valkey } from '../infra/valkey/port.ts'
import { createLaneChoice } from '../model/signals/received-signals.ts'
import type { TenantId } from '../schemas/domain/ids.ts'
import { createAppender } from './append/appender.ts'
import { createByteBudget } from './append/byte-budget.ts'
import type { IngestCodecs } from './append/encode-drafts.ts'
import type { IngestSettings } from './config.ts'
import type { FetchHandler } from './fallback/serve.ts'
import { type ClaimedPort, claimPort } from './http/claimed-port.ts'
import { createIntake } from './intake/intake.ts'
import { createAcceptMail } from './intake/mail.ts'
import { createByteAllowance, createFailureBudget } from './limits/budgets.ts'
import { KEEPS_NOTHING, openKeptCounts } from './limits/kept-counts.ts'
import { createRateLimit } from './limits/rate-limit.ts'
import { createIngestMetrics, createObservation } from './observation/observation.ts'
import { createMailReader } from './receivers/email/reader.ts'
import { emailReceiver } from './receivers/email/receiver.ts'
import { createRouter, RECEIVERS } from './receivers/index.ts'
import { createBodyWorker } from './receivers/large-bodies.ts'
import { createRegistry } from './registry/registry.ts'
import type { SourceLoader } from './registry/source.ts'
import { startServer } from './server.ts'
import { startSmtp } from './smtp/smtp.ts'

export interface IngestPorts extends IngestCodecs {
  readonly settings: IngestSettings
  readonly log: Pick<Log, 'append' | 'ping'>
  readonly sources: SourceLoader
  readonly logger: Logger
  readonly metrics: Metrics
  /** The edge adds its checks and answers probes with it. */
  readonly health: Health
  /** Handles every path that is not the edge's own, such as the query API's. */
  readonly fallback?: FetchHandler
  /** A port that was claimed already; otherwise the edge claims the port of the settings. */
  readonly claimed?: ClaimedPort
  /** The probes on the edge's port; by default all of this program. */
  readonly probes?: Probes
  /** Where several edges count their limits together; without Valkey this edge counts alone. */
  readonly valkey?: Valkey
  /** The file that keeps the counts of limits over a restart; null: counts start from zero. */
  readonly limitsFile?: string | null
  /** The clock, milliseconds since the epoch. */
  readonly now?: () => number
}

export interface Ingest {
  readonly port: number
  /** The SMTP listener's port; null when there is none. */
  readonly smtpPort: number | null
  /** Stops accepting, answers requests under way once their records are durable, and closes. */
  stop(): Promise<void>
}

const LARGEST_BODY = Math.max(...RECEIVERS.map(({ maxBodyBytes }) => maxBodyBytes))

/** Starts the edge. Resolves once it answers, even while the log or the database of sources is away. */
export const startIngest = async (ports: IngestPorts): Promise<Ingest> => {
  const { settings, log, logger, health, fallback = null, valkey = null, limitsFile = null, now = Date.now } = ports
  const { claimed = await claimPort(settings), probes = createProbes(health, ports.metrics) } = ports
  const registry = createRegistry(ports.sources, settings.registryPollMs, logger)
  const budget = createByteBudget(settings.maxInFlightBytes)
  const memoryOf = createShares<TenantId>(settings.maxInFlightBytes, LARGEST_BODY)
  const memoryOfSender = createShares(settings.maxInFlightBytes, LARGEST_BODY)
  const metrics = createIngestMetrics(ports.metrics, budget, registry, valkey)
  const observation = createObservation({
    log,
    codecs: ports,
    metrics: ports.metrics,
    figures: metrics,
    logger,
    now,
  })
  const appender = createAppender({ log, budget, settings, logger, onAppended: metrics.appended })
  const failures = createFailureBudget(settings.maxFailuresPerMinute)
  const appending = { appender, codecs: ports, maxRecordBytes: settings.maxRecordBytes, share: createLaneChoice(now) }
  const reader = createMailReader({ logger })
  const kept = limitsFile === null ? KEEPS_NOTHING : await openKeptCounts(limitsFile, logger)
  const limits = { valkey, kept }
  const worker = createBodyWorker(logger)
  const acceptMail = createAcceptMail({
    ...appending,
    limit: createRateLimit(emailReceiver.name, emailReceiver.limit, limits),
    reader,
    now,
  })

  health.check('log', () => log.ping())
  health.check('sources', async () => registry.assertLoaded())
  await registry.start()
  const server = startServer({
    settings,
    claimed,
    findReceiver: createRouter({
      ...settings,
      ...appending,
      registry,
      failures,
      worker,
      bytes: createByteAllowance(settings.tenantBytesPerMinute, now),
      memoryOf,
      memoryOfSender,
      receivers: RECEIVERS,
      acceptMail,
      limits,
      now,
    }),
    intake: createIntake({ observe: observation.observe, logger }),
    probes,
    fallback,
    budget,
    logger,
  })
  const smtp = await startSmtp({
    settings,
    registry,
    failures,
    acceptMail,
    budget,
    memoryOf,
    memoryOfSender,
    observe: observation.observe,
    logger,
  }).catch(async error => {
    await server.stop()
    registry.stop()
    await observation.stop()
    throw error
  })

  return {
    port: server.port,
    smtpPort: smtp?.port ?? null,
    stop: async () => {
      const stopped = Promise.all([server.stop(), smtp?.stop()])
      // Requests under way wait for their append: send the lingering batch now.
      await appender.drain()
      await stopped
      await Promise.all([reader.stop(), worker.stop(), kept.stop()])
      await observation.stop()
      registry.stop()
    },
  }
}
