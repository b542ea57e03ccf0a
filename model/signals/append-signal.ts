import type { Codec } from '../../infra/log/codec.ts'
import type { Log } from '../../infra/log/port.ts'
import { formatTraceparent } from '../../infra/runtime/traces.ts'
import { traceFromHere } from '../../infra/telemetry/spans.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import type { LiveShare } from './live-share.ts'
import { receivedRecord } from './received-record.ts'

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
