import type { Codec } from '../../infra/log/codec.ts'
import type { OutgoingRecord } from '../../infra/log/port.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import { HEADERS, type Lane, signalsTopic } from '../../schemas/events/topics.ts'

/** A received signal as a record for the head of the pipeline, spread over the partitions by its id, in the lane that its size calls for. */
export const receivedRecord = async (
  codec: Pick<Codec<SignalRecord>, 'encode'>,
  signal: SignalRecord,
  traceparent: string,
  laneOf: (bytes: number) => Lane,
): Promise<OutgoingRecord> => {
  const value = await codec.encode(signal)
  return {
    topic: signalsTopic('validate', laneOf(value.byteLength)),
    key: signal.signal_id,
    value,
    headers: { [HEADERS.traceparent]: traceparent },
  }
}
