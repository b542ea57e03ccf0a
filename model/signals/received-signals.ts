import type { Codec } from '../../infra/log/codec.ts'
import type { Log, OutgoingRecord } from '../../infra/log/port.ts'
import { withValue } from '../../infra/runtime/promises.ts'
import { createTokenBuckets } from '../../infra/runtime/token-buckets.ts'
import { formatTraceparent } from '../../infra/runtime/traces.ts'
import { traceFromHere } from '../../infra/telemetry/spans.ts'
import type { TenantId } from '../../schemas/domain/ids.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import { HEADERS, type Lane, signalsTopic } from '../../schemas/events/topics.ts'

/** Chooses the lane of a signal that a tenant sends now, by its size in bytes. */
export type ChooseLane = (tenant: TenantId, bytes: number) => Lane

/**
 * Estimated CPU of a signal in the pipeline, ms: 4 for each signal and 4 for each KiB, the cost of the most expensive
 * texts. A high estimate moves a signal to the bulk lane; a low one makes others wait.
 */
const EACH_MS = 4
const BYTES_A_MS = 256

/**
 * Up to here the price is the cost. Above, it is the square of the cost, as is the total wait of other signals: a long
 * signal is met more often and waited for longer.
 */
const SHORT_MS = 50

/**
 * A tenant's steady quota of the live lane: some twenty ordinary signals a second, ten times the limit of an endpoint.
 */
const SUSTAINED_MS_A_SECOND = 150
/** A tenant's quota at once. Others wait about this long behind it. */
const BURST_MS = 1000

const priceOf = (costMs: number): number => {
  if (costMs > BURST_MS) return Number.POSITIVE_INFINITY
  // A single long signal now and then fits into the live lane.
  return Math.min(BURST_MS, costMs * Math.max(1, costMs / SHORT_MS))
}

/**
 * Keeps one tenant's flood out of the live lane. Signals above the tenant's quota take the bulk lane, which runs freely
 * while other tenants have no live work, and a part of the time otherwise. Nothing is refused, and a tenant that is
 * alone loses nothing. Each program counts by itself: the quota protects, it is no account.
 */
export const createLaneChoice = (now: () => number): ChooseLane => {
  const buckets = createTokenBuckets<TenantId>({ perSecond: SUSTAINED_MS_A_SECOND, burst: BURST_MS, now })
  return (tenant, bytes) => {
    const price = priceOf(EACH_MS + bytes / BYTES_A_MS)
    if (buckets.left(tenant) < price) return 'bulk'
    buckets.take(tenant, price)
    return 'live'
  }
}

/** The record of a received signal for the head of the pipeline, partitioned by its id, in the lane for its size. */
export const receivedRecord = (
  codec: Pick<Codec<SignalRecord>, 'encode'>,
  signal: SignalRecord,
  traceparent: string,
  laneOf: (bytes: number) => Lane,
): OutgoingRecord | Promise<OutgoingRecord> =>
  withValue(codec.encode(signal), value => ({
    topic: signalsTopic('validate', laneOf(value.byteLength)),
    key: signal.signal_id,
    value,
    headers: { [HEADERS.traceparent]: traceparent },
  }))

/**
 * Appends a received signal to the head of the pipeline, with a trace of its own. Resolves once the record is durable.
 */
export const createSignalAppender =
  (
    log: Pick<Log, 'append'>,
    codec: Pick<Codec<SignalRecord>, 'encode'>,
    share: ChooseLane,
  ): ((signal: SignalRecord) => Promise<void>) =>
  async signal => {
    const laneOf = (bytes: number) => share(signal.tenant_id, bytes)
    await log.append([await receivedRecord(codec, signal, formatTraceparent(traceFromHere()), laneOf)])
  }
