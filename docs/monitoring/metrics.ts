import { measureData } from '../../infra/backup/measure-data.ts'
import { watchChat, watchEmbedder } from '../../infra/models/choose.ts'
import { measureHealth } from '../../infra/runtime/health.ts'
import { createMetrics, type Metrics } from '../../infra/runtime/metrics.ts'
import { measureVersion } from '../../infra/runtime/product-version.ts'
import { createByteBudget } from '../../ingest/append/byte-budget.ts'
import { createIngestMetrics, createSourceMetrics } from '../../ingest/observation/observation.ts'
import { createObserver, measureGroups } from '../../processors/framework/metrics.ts'
import { measureCalls } from '../../query-api/operations/call/observe.ts'
import { measureUnfinishedWork } from '../../query-api/unfinished-work-metrics.ts'

export interface Metric {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary'
  readonly help: string
  readonly labels: readonly string[]
  /** Who has it. */
  readonly program: string
}

const nobodyAsks = () => Promise.reject(new Error('Nobody asks.'))

/** Registers what a program measures. What the gauges would look at is never looked at here. */
const REGISTER: Readonly<Record<string, (metrics: Metrics) => void>> = {
  'every program': metrics => {
    measureHealth(metrics, { ready: nobodyAsks })
    measureVersion(metrics)
  },
  ingest: metrics => {
    const nothing = { size: () => 0, loaded: () => false }
    createIngestMetrics(metrics, createByteBudget(1), nothing, { answers: () => false })
    createSourceMetrics(metrics, { now: Date.now })
  },
  processors: metrics => {
    createObserver(metrics, () => {})
    measureGroups(metrics, { lag: async () => [] }, [], Date.now)
    watchEmbedder(metrics)
    watchChat(metrics, 'judge')
    watchChat(metrics, 'classifier')
  },
  'query-api': metrics => {
    measureCalls(metrics)
    measureUnfinishedWork(metrics, nobodyAsks)
  },
  'one process': metrics => measureData(metrics, ''),
}

const definitionsOf = (program: string, { registry }: Metrics): Metric[] =>
  registry.getMetricsAsArray().map(metric => ({
    name: metric.name,
    // prom-client's own types leave out what it keeps of each metric.
    type: String(metric.type) as Metric['type'],
    help: metric.help,
    labels: 'labelNames' in metric ? (metric.labelNames as readonly string[]) : [],
    program,
  }))

/** Every metric of Assay's own, as the code that measures it defines it. */
export const METRICS: readonly Metric[] = Object.entries(REGISTER).flatMap(([program, register]) => {
  const metrics = createMetrics({ program, ofProcess: false })
  register(metrics)
  return definitionsOf(program, metrics)
})

/** What each process says of itself (`prom-client`'s own). */
export const PROCESS_METRICS: readonly Metric[] = definitionsOf('every program', createMetrics({ program: 'any' }))
