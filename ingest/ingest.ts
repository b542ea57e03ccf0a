import type { Log } from '../infra/log/port.ts'
import type { Health } from '../infra/runtime/health.ts'
import { createProbes, type Probes } from '../infra/runtime/listen.ts'
import type { Logger } from '../infra/runtime/logger.ts'
import type { Metrics } from '../infra/runtime/metrics.ts'
import { createShares } from '../infra/runtime/shares.ts'
import type { Valkey } from '../infra/valkey/port.ts'
import { createLiveShare } from '../model/signals/received-signals.ts'
import type { TenantId } from '../schemas/domain/ids.ts'
import { createAppender } from './append/appender.ts'
import { createByteBudget } from './append/byte-budget.ts'
import type { IngestCodecs } from './append/drafts.ts'
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
import { createFindReceiver, RECEIVERS } from './receivers/index.ts'
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
  /** Gets the edge's own checks added; the edge serves it on its port. */
  readonly health: Health
  /** A handler for every path that is not the edge's own, such as the query API's. */
  readonly fallback?: FetchHandler
  /** The port that was claimed for it; unless given it claims the one of the settings. */
  readonly claimed?: ClaimedPort
  /** What probes it answers on its port; all of this program's unless given. */
  readonly probes?: Probes
  /** What edges that share the load count their limits in; without one this edge limits by itself. */
  readonly valkey?: Valkey
  /** The file that keeps over a restart what limits have counted; null: they count from nothing. */
  readonly limitsFile?: string | null
  /** The clock, milliseconds since the epoch. */
  readonly now?: () => number
}

export interface Ingest {
  readonly port: number
  /** Of the SMTP listener; null when there is none. */
  readonly smtpPort: number | null
  /** Stops accepting, answers what is under way once it is durable, and closes. */
  stop(): Promise<void>
}

const LARGEST_BODY = Math.max(...RECEIVERS.map(({ maxBodyBytes }) => maxBodyBytes))

/** Starts the edge. Resolves once it answers, whether or not the log and the store of sources answer by then. */
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
  const appending = { appender, codecs: ports, maxRecordBytes: settings.maxRecordBytes, share: createLiveShare(now) }
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
    findReceiver: createFindReceiver({
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
      // Requests under way wait for their append: what lingers need not.
      await appender.drain()
      await stopped
      await Promise.all([reader.stop(), worker.stop(), kept.stop()])
      await observation.stop()
      registry.stop()
    },
  }
}
