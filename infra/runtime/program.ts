import type { TelemetrySettings } from '../telemetry/config.ts'
import { startTelemetry } from '../telemetry/telemetry.ts'
import { createHealth, type Health } from './health.ts'
import { measureHealth } from './health-metrics.ts'
import { createLifecycle, type Lifecycle } from './lifecycle.ts'
import { createLogger, type Logger, type LogLevel } from './logger.ts'
import { createMetrics, type Metrics } from './metrics.ts'

/** What every program has from its first moment. */
export interface Program {
  readonly logger: Logger
  readonly metrics: Metrics
  readonly health: Health
  readonly lifecycle: Lifecycle
}

interface ProgramOptions {
  /** In every line of its log and on every metric. */
  readonly name: string
  readonly logLevel: LogLevel
  /** What is told a collector; absent for a command that ends by itself. */
  readonly telemetry?: TelemetrySettings
}

/**
 * Runs a program: signals stop it, and when `start` rejects, what it has started by then is stopped again.
 * Resolves once `start` does; the program goes on.
 */
export const runProgram = async (
  { name, logLevel, telemetry: settings }: ProgramOptions,
  start: (program: Program) => Promise<void>,
): Promise<void> => {
  const metrics = createMetrics({ program: name })
  const telemetry = settings === undefined ? null : await startTelemetry({ name, settings, metrics })
  const logger = createLogger({ level: logLevel, program: name, also: telemetry?.log ?? null })
  const health = createHealth()
  const lifecycle = createLifecycle({ logger, onStopping: health.stopping })
  measureHealth(metrics, health)
  lifecycle.listen()
  if (telemetry !== null) lifecycle.onStop('telemetry', telemetry.stop)
  try {
    await start({ logger, metrics, health, lifecycle })
  } catch (error) {
    await lifecycle.stop()
    throw error
  }
}
