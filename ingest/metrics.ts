import { Counter, Gauge, Histogram, type Metrics } from '../infra/runtime/metrics.ts'
import type { Valkey } from '../infra/valkey/port.ts'
import type { ByteBudget } from './append/byte-budget.ts'
import type { ObservedRequest } from './intake/intake.ts'
import type { Registry } from './registry/registry.ts'

export interface IngestMetrics {
  observe(observed: ObservedRequest): void
  appended(records: number, seconds: number): void
  /** Refusals that no activity tells of. */
  unreported(times: number): void
}

/** The edge's figures as a whole, by receiver and reason; see `observation/observation.ts` for those of each source. */
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
