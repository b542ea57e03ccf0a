import type { Log } from '../../infra/log/port.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { Metrics } from '../../infra/runtime/metrics.ts'
import type { IngestCodecs } from '../encode.ts'
import type { ObservedRequest } from '../intake/intake.ts'
import type { IngestMetrics } from '../metrics.ts'
import { createRefusals } from './refusals.ts'
import { createSourceMetrics } from './source-metrics.ts'

export interface ObservationPorts {
  readonly log: Pick<Log, 'append'>
  readonly codecs: IngestCodecs
  readonly metrics: Pick<Metrics, 'registry'>
  readonly figures: Pick<IngestMetrics, 'observe' | 'unreported'>
  readonly logger: Pick<Logger, 'warn'>
  readonly now: () => number
}

export interface Observation {
  /** To be told of each request once it is answered. Costs the answer nothing. */
  observe(observed: ObservedRequest): void
  /** Tells what is not told yet. */
  stop(): Promise<void>
}

/** What an operator and a workspace see of requests: figures of the edge, figures of each source, and refusals as activity. */
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
