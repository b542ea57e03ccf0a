import type { DestinationStream } from 'pino'
import type { Registry } from 'prom-client'
import { withDeadline } from '../runtime/promises.ts'
import type { TelemetrySettings } from './config.ts'
import { traceWith } from './spans.ts'

/** What a program tells an OpenTelemetry collector. */
export interface Telemetry {
  /** Takes the lines of the log, which go there too; null while they do not. */
  readonly log: DestinationStream | null
  /** Sends what is held, for a moment at most: a collector that is away keeps nobody from stopping. */
  stop(): Promise<void>
}

interface TelemetryOptions {
  /** Of the program; OTEL_SERVICE_NAME is another. */
  readonly name: string
  readonly settings: TelemetrySettings
  readonly metrics: { readonly registry: Registry }
}

/** Of a thread: a process has two that send, one after the other. */
export const STOP_MS = 1500

/**
 * Starts sending where the settings name a collector; null where they do not, and then nothing of OpenTelemetry is
 * loaded. One for each thread: spans of this thread are recorded from now on.
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
