import type { Log } from '../../infra/log/port.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { Counter, Gauge, Histogram, type Metrics } from '../../infra/runtime/metrics.ts'
import type { Valkey } from '../../infra/valkey/port.ts'
import { metricsLabel } from '../../model/sources/proof.ts'
import type { ByteBudget } from '../append/byte-budget.ts'
import type { IngestCodecs } from '../append/encode-drafts.ts'
import type { ObservedRequest } from '../intake/intake.ts'
import type { Registry } from '../registry/registry.ts'
import { createRefusals } from './refusals.ts'

interface IngestMetrics {
  observe(observed: ObservedRequest): void
  appended(records: number, seconds: number): void
  /** Counts refusals that no activity shows. */
  unreported(times: number): void
}

/** Metrics of the whole edge, by receiver and reason. */
export const createIngestMetrics = (
  { registry }: Pick<Metrics, 'registry'>,
  budget: ByteBudget,
  sources: Pick<Registry, 'size' | 'loaded'>,
  valkey: Pick<Valkey, 'answers'> | null,
): IngestMetrics => {
  const registers = [registry]
  const accepted = new Counter({
    name: 'assay_ingest_accepted_total',
    help: 'Requests answered 200, by receiver.',
    labelNames: ['receiver'],
    registers,
  })
  const refused = new Counter({
    name: 'assay_ingest_refused_total',
    help: 'Requests not taken, by receiver and reason.',
    labelNames: ['receiver', 'reason'],
    registers,
  })
  const appendSeconds = new Histogram({
    name: 'assay_ingest_append_seconds',
    help: 'Time from an append to the acknowledgement of the log.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const appendRecords = new Histogram({
    name: 'assay_ingest_append_records',
    help: 'Records that shared one append.',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
    registers,
  })
  const unreported = new Counter({
    name: 'assay_ingest_refusals_unreported_total',
    help: 'Refused requests that the activity does not show: the log was away, or too many sources were refused at once.',
    registers,
  })
  if (valkey) {
    new Gauge({
      name: 'assay_ingest_limits_shared',
      help: '1 while limits are counted together with the other edges, 0 while this edge limits by itself.',
      registers,
      collect() {
        this.set(valkey.answers() ? 1 : 0)
      },
    })
  }
  new Gauge({
    name: 'assay_ingest_in_flight_bytes',
    help: 'Bytes of bodies being read and of records not yet durable.',
    registers,
    collect() {
      this.set(budget.used())
    },
  })
  new Gauge({
    name: 'assay_ingest_sources',
    help: 'Sources in the registry; -1 until they were loaded.',
    registers,
    collect() {
      this.set(sources.loaded() ? sources.size() : -1)
    },
  })
  return {
    observe: ({ receiver, refused: reason }) => {
      if (reason === null) accepted.inc({ receiver })
      else refused.inc({ receiver, reason })
    },
    appended: (records, seconds) => {
      appendRecords.observe(records)
      appendSeconds.observe(seconds)
    },
    unreported: times => unreported.inc(times),
  }
}

interface ObservationPorts {
  readonly log: Pick<Log, 'append'>
  readonly codecs: IngestCodecs
  readonly metrics: Pick<Metrics, 'registry'>
  readonly figures: Pick<IngestMetrics, 'observe' | 'unreported'>
  readonly logger: Pick<Logger, 'warn'>
  readonly now: () => number
}

interface Observation {
  /** Called after each answer; costs the answer nothing. */
  observe(observed: ObservedRequest): void
  /** Reports what is not reported yet. */
  stop(): Promise<void>
}

/** Shows requests to operators and workspaces: metrics of the edge and of each source, and refusals as activity. */
export const createObservation = ({ metrics, figures, ...ports }: ObservationPorts): Observation => {
  const sources = createSourceMetrics(metrics, { now: ports.now })
  const refusals = createRefusals({ ...ports, onUnreported: figures.unreported })
  return {
    observe: observed => {
      figures.observe(observed)
      sources.observe(observed)
      refusals.observe(observed)
    },
    stop: refusals.stop,
  }
}

/** Counts of one source by outcome: `accepted` or a refusal's reason. */
interface Series {
  readonly label: string
  readonly times: Map<string, number>
  lastAt: number
}

interface SourceMetricsOptions {
  readonly now: () => number
  /**
   * Maximum of sources with series of their own. Default 1000: a monitoring system keeps every series that it ever saw.
   */
  readonly maxSources?: number
  /** A source that is silent for this long gives its series to another, ms. Default ten minutes. */
  readonly idleMs?: number
}

const OTHER = 'other'
/** Interval after which a source moves to the end of the order, ms: a busy source is not moved at each request. */
const ORDERED_MS = 1000

/**
 * Metrics of each source, under a label that does not reveal its endpoint. The first `maxSources` sources have series
 * of their own, later ones share the label `other`. A source that keeps sending keeps its series.
 */
export const createSourceMetrics = (
  { registry }: Pick<Metrics, 'registry'>,
  { now, maxSources = 1000, idleMs = 600_000 }: SourceMetricsOptions,
): { observe(observed: ObservedRequest): void } => {
  /** Least recently seen first; within a second the order is not exact. */
  const known = new Map<string, Series>()
  const other: Series = { label: OTHER, times: new Map(), lastAt: 0 }
  const all = () => (other.lastAt === 0 ? [...known.values()] : [...known.values(), other])

  /** Before this time no source has been silent long enough to give up its series. */
  let fullUntil = 0

  const makeRoom = (at: number): boolean => {
    if (known.size < maxSources) return true
    if (at < fullUntil) return false
    const [oldest] = known
    if (!oldest) return false
    fullUntil = oldest[1].lastAt + idleMs
    if (at < fullUntil) return false
    const [id, { times, lastAt }] = oldest
    known.delete(id)
    for (const [outcome, count] of times) add(other, outcome, count, lastAt)
    return true
  }

  const seriesOf = (id: string, at: number): Series => {
    const series = known.get(id)
    if (series !== undefined && series.lastAt > at - ORDERED_MS) return series
    if (series === undefined && !makeRoom(at)) return other
    known.delete(id)
    const kept = series ?? { label: metricsLabel(id), times: new Map(), lastAt: at }
    known.set(id, kept)
    return kept
  }

  new Counter({
    name: 'assay_ingest_source_requests_total',
    help: 'Requests by source (its metrics label) and outcome: accepted, or the reason of the refusal.',
    labelNames: ['source', 'outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { label: source, times } of all()) {
        for (const [outcome, count] of times) this.inc({ source, outcome }, count)
      }
    },
  })
  new Gauge({
    name: 'assay_ingest_source_last_seen_seconds',
    help: 'When the last request of the source came, accepted or not, in seconds since the epoch.',
    labelNames: ['source'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { label: source, lastAt } of all()) this.set({ source }, lastAt / 1000)
    },
  })
  return {
    observe: ({ source, refused }) => {
      if (source === null) return
      const at = now()
      add(seriesOf(source.id, at), refused ?? 'accepted', 1, at)
    },
  }
}

const add = (series: Series, outcome: string, times: number, at: number): void => {
  series.times.set(outcome, (series.times.get(outcome) ?? 0) + times)
  series.lastAt = Math.max(series.lastAt, at)
}
