import type { ActivityRecord } from '../../schemas/events/activity.ts'
import type { MetricPointRecord } from '../../schemas/events/metric-point.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import type { Limit } from '../limits/counter.ts'
import type { Refusal } from '../refusal.ts'
import type { Source } from '../registry/source.ts'

/** Headers of a request by their names in lower case; a header that came several times is joined by commas. */
type RequestHeaders = Readonly<Record<string, string>>

/** A request with its body, whose sender is not proven yet. */
export interface UnprovenRequest {
  readonly headers: RequestHeaders
  readonly body: Buffer
  readonly source: Source
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
}

/** A request whose sender is proven and within the limit. */
export interface ProvenRequest extends UnprovenRequest {
  readonly traceId: string
}

/** What goes on the log, all of it or nothing. */
export type Draft =
  | { readonly what: 'signal'; readonly record: SignalRecord }
  | { readonly what: 'activity'; readonly record: ActivityRecord }
  | { readonly what: 'metric_point'; readonly record: MetricPointRecord }

export interface Taken {
  readonly kind: 'taken'
  readonly drafts: readonly Draft[]
  /** The body of the `200` answer, sent once the drafts are durable. */
  readonly answer: { readonly ok: true } & Readonly<Record<string, unknown>>
}

/** One way in. The intake runs every receiver's requests in the same order; a receiver says only what is its own. */
export interface Receiver {
  /** Its name in the metrics. */
  readonly name: string
  /** The endpoint's id follows it. */
  readonly path: string
  readonly contentTypes: readonly string[]
  readonly maxBodyBytes: number
  /** For each endpoint; counts requests whose sender is proven. */
  readonly limit: Limit
  /** True for the sources that this receiver is the door of. */
  readonly serves: (source: Source) => boolean
  /** Null when the request comes from whoever has the source's secret. */
  readonly prove: (request: UnprovenRequest) => Refusal | null
  /** Parses and projects. What it leaves out of the drafts is gone. */
  readonly receive: (request: ProvenRequest) => Taken | Refusal
}
