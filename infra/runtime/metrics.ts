import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/**
 * Where a program registers what it measures: `new Counter({ name, help, registers: [metrics.registry] })`, with the
 * classes that come along, so that one place decides which library that is.
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
  /**
   * Whether the process's own metrics (CPU, memory, event loop lag) are among them. Not for a second thread of a
   * process.
   */
  readonly ofProcess?: boolean
}

/** How often the lag of the event loop is looked at. The library's 10 ms are most of what wakes a program at rest. */
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

/** Exposes the metrics of a process together with those of one of its threads, which have other names. */
export const exposeTogether =
  (metrics: Metrics, ofThread: () => Promise<string>): Metrics['expose'] =>
  async () => {
    const [{ contentType, body }, rest] = await Promise.all([metrics.expose(), ofThread()])
    return { contentType, body: `${body}${rest}` }
  }
