import type { Codec } from '../../infra/log/codec.ts'
import type { Log } from '../../infra/log/port.ts'
import { formatTraceparent, newTrace } from '../../infra/runtime/traces.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import { receivedRecord } from './received-record.ts'

/** Appends a received signal to the head of the pipeline, under a trace of its own; resolves once it is durable. */
export const createSignalAppender =
  (log: Pick<Log, 'append'>, codec: Pick<Codec<SignalRecord>, 'encode'>): ((signal: SignalRecord) => Promise<void>) =>
  async signal =>
    log.append([await receivedRecord(codec, signal, formatTraceparent(newTrace()))])
