import type { SourceKind } from '../../schemas/domain/vocabulary.ts'
import type { ActivityRecord } from '../../schemas/events/activity.ts'
import type { MetricPointRecord } from '../../schemas/events/metric-point.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import type { Refusal } from '../answer.ts'
import type { Limit } from '../limits/rate-limit.ts'
import type { Source } from '../registry/source.ts'

/** By lower-case name; repeated headers are joined by commas. */
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

/** A record for the log. The drafts of a request are appended all or none. */
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
  /** The kind of its sources, and its name in metrics. */
  readonly name: SourceKind
  readonly path: string
  readonly contentTypes: readonly string[]
  readonly maxBodyBytes: number
  readonly limit: Limit
}

/**
 * Takes requests to a source's own address, whose id follows the path. The intake handles the requests of all receivers
 * in the same order; a receiver has only what differs.
 */
export interface EndpointReceiver extends ReceiverBase {
  readonly takes: 'endpoint'
  /** True for the sources that this receiver serves. */
  readonly serves: (source: Source) => boolean
  /** Null when the request proves the source's secret, else the refusal. */
  readonly prove: (request: UnprovenRequest) => Refusal | null
  /** Parses a request and keeps the needed fields. Other fields are dropped. */
  readonly receive: (request: ProvenRequest) => Taken | Refusal
}

/** Takes mail for any number of sources, identified by the recipients' addresses. Mail comes over SMTP too. */
export interface MailReceiver extends ReceiverBase {
  readonly takes: 'mail'
}

export type Receiver = EndpointReceiver | MailReceiver
