import type { Codec } from '../../infra/log/codec.ts'
import type { Log } from '../../infra/log/port.ts'
import { formatTraceparent, newTrace } from '../../infra/runtime/traces.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import { HEADERS, signalsTopic } from '../../schemas/events/topics.ts'

/** Appends a received signal to the head of the pipeline, keyed by its id; resolves once it is durable. */
export const createSignalAppender =
  (log: Pick<Log, 'append'>, codec: Pick<Codec<SignalRecord>, 'encode'>): ((signal: SignalRecord) => Promise<void>) =>
  async signal => {
    const value = await codec.encode(signal)
    const headers = { [HEADERS.traceparent]: formatTraceparent(newTrace()) }
    await log.append([{ topic: signalsTopic('validate'), key: signal.signal_id, value, headers }])
  }
