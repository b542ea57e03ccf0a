import type { IHeaders, KafkaMessage } from 'kafkajs'
import type { StoredRecord, TopicPartition } from '../port.ts'

/** A message of a partition as the port has it. Kafka's offsets stay far below 2^53. */
export const storedRecord = ({ topic, partition }: TopicPartition, message: KafkaMessage): StoredRecord => ({
  topic,
  partition,
  offset: Number(message.offset),
  timestamp: Number(message.timestamp),
  key: message.key === null ? null : message.key.toString(),
  value: message.value ?? new Uint8Array(),
  headers: textHeaders(message.headers ?? {}),
})

/** Other programs may send a header twice; the last one counts. */
const textHeaders = (headers: IHeaders): Record<string, string> => {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    const last = Array.isArray(value) ? value.at(-1) : value
    if (last !== undefined) texts[name] = last.toString()
  }
  return texts
}
