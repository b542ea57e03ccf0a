import type { Log } from '../infra/log/port.ts'
import type { Health } from '../infra/runtime/health.ts'
import type { Logger } from '../infra/runtime/logger.ts'
import type { Metrics } from '../infra/runtime/metrics.ts'
import { createProbes } from '../infra/runtime/probes.ts'
import { createAppender } from './append/appender.ts'
import { createByteBudget } from './append/byte-budget.ts'
import type { IngestSettings } from './config.ts'
import type { IngestCodecs } from './encode.ts'
import type { FetchHandler } from './fallback/serve.ts'
import { createIntake } from './intake.ts'
import { createFailureBudget } from './limits/limits.ts'
import { createIngestMetrics } from './metrics.ts'
import { RECEIVERS } from './receivers/index.ts'
import { createRegistry } from './registry/registry.ts'
import type { SourceLoader } from './registry/source.ts'
import { createRoutes } from './routes.ts'
import { startServer } from './server.ts'

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
  /** The clock, milliseconds since the epoch. */
  readonly now?: () => number
}

export interface Ingest {
  readonly port: number
  /** Stops accepting, answers what is under way once it is durable, and closes. */
  stop(): Promise<void>
}

/** Starts the edge. Resolves once it listens, whether or not the log and the store of sources answer by then. */
export const startIngest = async (ports: IngestPorts): Promise<Ingest> => {
  const { settings, log, logger, health, fallback = null, now = Date.now } = ports
  const registry = createRegistry(ports.sources, settings.registryPollMs, logger)
  const budget = createByteBudget(settings.maxInFlightBytes)
  const metrics = createIngestMetrics(ports.metrics, budget, registry)
  const appender = createAppender({ log, budget, settings, logger, onAppended: metrics.appended })
  const intake = createIntake({
    registry,
    failures: createFailureBudget(settings.maxFailuresPerMinute),
    appender,
    codecs: ports,
    maxRecordBytes: settings.maxRecordBytes,
    observe: metrics.observe,
    logger,
    now,
  })

  health.check('log', () => log.ping())
  health.check('sources', async () => registry.assertLoaded())
  await registry.start()
  const probes = createProbes(health, ports.metrics)
  const server = await startServer({
    settings,
    findRoute: createRoutes(RECEIVERS),
    intake,
    probes,
    fallback,
    budget,
    logger,
  }).catch(error => {
    registry.stop()
    throw error
  })

  return {
    port: server.port,
    stop: async () => {
      const stopped = server.stop()
      // Requests under way wait for their append: what lingers need not.
      await appender.drain()
      await stopped
      registry.stop()
    },
  }
}
