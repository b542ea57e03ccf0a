import type { SourceKind } from '../../schemas/domain/vocabulary.ts'
import type { ActivityRecord } from '../../schemas/events/activity.ts'
import type { MetricPointRecord } from '../../schemas/events/metric-point.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import type { Refusal } from '../answer.ts'
import type { Limit } from '../limits/rate-limit.ts'
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

interface ReceiverBase {
  /** The kind of its sources; its name in the metrics. */
  readonly name: SourceKind
  readonly path: string
  readonly contentTypes: readonly string[]
  readonly maxBodyBytes: number
  readonly limit: Limit
}

/**
 * Takes requests to the address of one source, whose id follows the path. The intake runs every receiver's requests in
 * the same order; a receiver says only what is its own.
 */
export interface EndpointReceiver extends ReceiverBase {
  readonly takes: 'endpoint'
  /** True for the sources whose addresses these are. */
  readonly serves: (source: Source) => boolean
  /** Null when the request comes from whoever has the source's secret. */
  readonly prove: (request: UnprovenRequest) => Refusal | null
  /** Parses and projects. What it leaves out of the drafts is gone. */
  readonly receive: (request: ProvenRequest) => Taken | Refusal
}

/** Takes mail for any number of sources: the addresses that a mail goes to say whose it is. It comes over SMTP too. */
export interface MailReceiver extends ReceiverBase {
  readonly takes: 'mail'
}

/** A way in. */
export type Receiver = EndpointReceiver | MailReceiver
