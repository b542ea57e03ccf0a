import type { DestinationStream } from 'pino'
import type { Registry } from 'prom-client'
import { withDeadline } from '../runtime/promises.ts'
import type { TelemetrySettings } from './config.ts'
import { traceWith } from './spans.ts'

/** A program's connection to an OpenTelemetry collector. */
export interface Telemetry {
  /** Takes the log's lines; null when logs are not sent. */
  readonly log: DestinationStream | null
  /** Sends what is buffered, for at most 1.5 s: a missing collector must not delay a stop. */
  stop(): Promise<void>
}

interface TelemetryOptions {
  /** The program's name; OTEL_SERVICE_NAME overrides it. */
  readonly name: string
  readonly settings: TelemetrySettings
  readonly metrics: { readonly registry: Registry }
}

/** Limit for each thread, ms: a process has two that send, one after another. */
export const STOP_MS = 1500

/**
 * Starts sending when the settings name a collector; otherwise null, and nothing of OpenTelemetry is loaded. Once for
 * each thread: records the thread's spans from now on.
 */
export const startTelemetry = async ({ name, settings, metrics }: TelemetryOptions): Promise<Telemetry | null> => {
  if (settings.otlpEndpoint === null || settings.isTelemetryDisabled) return null
  const { createExports } = await import('./otlp.ts')
  const exports = createExports(name, settings, metrics.registry)
  traceWith(exports.tracer)
  return {
    log: exports.log,
    async stop() {
      traceWith(null)
      await withDeadline(exports.stop(), STOP_MS, 'Sending the last telemetry').catch(() => {})
    },
  }
}
