import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/**
 * Where a program registers its metrics: `new Counter({ name, help, registers: [metrics.registry] })`. `Counter`,
 * `Gauge` and `Histogram` come from this file, so that only this file knows the library.
 */
export interface Metrics {
  readonly registry: Registry
  /** The metrics in Prometheus' text format, and the content type to send them with. */
  expose(): Promise<{ readonly contentType: string; readonly body: string }>
}

export { Counter, Gauge, Histogram }

interface MetricsOptions {
  /** A label on every metric. */
  readonly program: string
  /** Includes metrics of the process (CPU, memory, event loop lag). False for a second thread of a process. */
  readonly ofProcess?: boolean
}

/**
 * Interval of measuring the event loop's lag, ms. The library's default of 10 ms would be most of an idle program's
 * wake-ups.
 */
const LAG_EVERY_MS = 50

export const createMetrics = ({ program, ofProcess = true }: MetricsOptions): Metrics => {
  const registry = new Registry()
  registry.setDefaultLabels({ program })
  if (ofProcess) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_EVERY_MS })
  return {
    registry,
    expose: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  }
}

/** Exposes a process's metrics together with those of one of its threads, whose names must differ. */
export const exposeTogether =
  (metrics: Metrics, ofThread: () => Promise<string>): Metrics['expose'] =>
  async () => {
    const [{ contentType, body }, rest] = await Promise.all([metrics.expose(), ofThread()])
    return { contentType, body: `${body}${rest}` }
  }
