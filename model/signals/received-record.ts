import type { Codec } from '../../infra/log/codec.ts'
import type { OutgoingRecord } from '../../infra/log/port.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import { HEADERS, type Lane, signalsTopic } from '../../schemas/events/topics.ts'

/** A received signal as a record for the head of the pipeline, spread over the partitions by its id. */
export const receivedRecord = async (
  codec: Pick<Codec<SignalRecord>, 'encode'>,
  signal: SignalRecord,
  traceparent: string,
  lane: Lane = 'live',
): Promise<OutgoingRecord> => ({
  topic: signalsTopic('validate', lane),
  key: signal.signal_id,
  value: await codec.encode(signal),
  headers: { [HEADERS.traceparent]: traceparent },
})
