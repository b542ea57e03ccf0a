import type { Codec } from '../../infra/log/codec.ts'
import type { Log, OutgoingRecord } from '../../infra/log/port.ts'
import { withValue } from '../../infra/runtime/promises.ts'
import { createTokenBuckets } from '../../infra/runtime/token-buckets.ts'
import { formatTraceparent } from '../../infra/runtime/traces.ts'
import { traceFromHere } from '../../infra/telemetry/spans.ts'
import type { TenantId } from '../../schemas/domain/ids.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import { HEADERS, type Lane, signalsTopic } from '../../schemas/events/topics.ts'

/** Chooses the lane of a signal of so many bytes that a tenant sends now. */
export type LiveShare = (tenant: TenantId, bytes: number) => Lane

/**
 * What a signal may cost the pipeline, in milliseconds of a processor: four for being one, and four for each KiB of it,
 * which is what the dearest texts take. A guess that is too high moves a signal to the other lane; one that is too low
 * lets it stand before others.
 */
const EACH_MS = 4
const BYTES_A_MS = 256

/**
 * Up to here a signal is priced by what it costs. A longer one is priced by the square of that, as is what the others
 * wait for it: who comes at any moment meets it so much more often, and waits so much longer.
 */
const SHORT_MS = 50

/**
 * What a tenant may have of the live lane all the time: some twenty ordinary signals a second, ten times what one
 * endpoint takes.
 */
const SUSTAINED_MS_A_SECOND = 150
/** What it may have at once after a while of less. Others wait at most about so long behind it. */
const BURST_MS = 1000

const priceOf = (costMs: number): number => {
  if (costMs > BURST_MS) return Number.POSITIVE_INFINITY
  // Whoever sends one now and then has it in the live lane.
  return Math.min(BURST_MS, costMs * Math.max(1, costMs / SHORT_MS))
}

/**
 * Keeps one tenant's flood from standing before everybody's signals: what goes beyond its share of the live lane goes
 * on in the bulk lane, which has the processors whenever others have no live work, and a turn now and then while they
 * have. Nothing is refused, and a tenant that is alone on the machine loses nothing. Each program keeps its own
 * account: a share is a guard, not a price.
 */
export const createLiveShare = (now: () => number): LiveShare => {
  const buckets = createTokenBuckets<TenantId>({ perSecond: SUSTAINED_MS_A_SECOND, burst: BURST_MS, now })
  return (tenant, bytes) => {
    const price = priceOf(EACH_MS + bytes / BYTES_A_MS)
    if (buckets.left(tenant) < price) return 'bulk'
    buckets.take(tenant, price)
    return 'live'
  }
}

/**
 * A received signal as a record for the head of the pipeline, spread over the partitions by its id, in the lane that
 * its size calls for.
 */
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

/** Appends a received signal to the head of the pipeline, under a trace of its own; resolves once it is durable. */
export const createSignalAppender =
  (
    log: Pick<Log, 'append'>,
    codec: Pick<Codec<SignalRecord>, 'encode'>,
    share: LiveShare,
  ): ((signal: SignalRecord) => Promise<void>) =>
  async signal => {
    const laneOf = (bytes: number) => share(signal.tenant_id, bytes)
    await log.append([await receivedRecord(codec, signal, formatTraceparent(traceFromHere()), laneOf)])
  }
