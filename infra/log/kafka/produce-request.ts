import { crc32c } from './crc32c.ts'

/** The content of a Produce request, as kafkajs puts it together. Messages have only the fields that the log sends. */
export interface ProduceFields {
  readonly acks: number
  /** Milliseconds. */
  readonly timeout: number
  readonly producerId: string
  readonly producerEpoch: number
  readonly topicData: readonly {
    readonly topic: string
    readonly partitions: readonly {
      readonly partition: number
      readonly firstSequence: number
      readonly messages: readonly ProducedMessage[]
    }[]
  }[]
}

export interface ProducedMessage {
  readonly key: string | null
  readonly value: Buffer
  readonly headers: Readonly<Record<string, string>>
}

const NULL_STRING = -1
/** The length of a null key: -1 in zigzag. */
const NULL_LENGTH = 1
const MAGIC = 2
/** `baseOffset` and `batchLength`, which a batch's length does not count. */
const BATCH_PREFIX_BYTES = 12
/** From `partitionLeaderEpoch` up to the number of records. */
const BATCH_HEAD_BYTES = 49
/**
 * Where the checksummed part of a batch begins: after `baseOffset`, `batchLength`, `partitionLeaderEpoch`, `magic` and
 * the checksum.
 */
const CHECKED_FROM = 21

const varintBytes = (zigzag: number): number =>
  zigzag < 0x80 ? 1 : zigzag < 0x4000 ? 2 : zigzag < 0x20_0000 ? 3 : zigzag < 0x1000_0000 ? 4 : 5

/** Lengths and deltas are never negative, and zigzag doubles them. */
const sizeBytes = (size: number): number => varintBytes(size * 2)

/** Size of a record without its length field. */
const bodyBytes = ({ key, value, headers }: ProducedMessage, offsetDelta: number): number => {
  const keyBytes = key === null ? -1 : Buffer.byteLength(key)
  // Attributes and a timestamp delta of 0 take a byte each.
  let bytes = 2 + sizeBytes(offsetDelta) + (keyBytes < 0 ? 1 : sizeBytes(keyBytes) + keyBytes)
  bytes += sizeBytes(value.byteLength) + value.byteLength
  let count = 0
  for (const name in headers) {
    const nameBytes = Buffer.byteLength(name)
    const textBytes = Buffer.byteLength(headers[name] ?? '')
    bytes += sizeBytes(nameBytes) + nameBytes + sizeBytes(textBytes) + textBytes
    count += 1
  }
  return bytes + sizeBytes(count)
}

/** Writes fields one after another into a buffer of exactly `bytes` bytes. */
const createWriter = (bytes: number) => {
  const buffer = Buffer.allocUnsafe(bytes)
  let at = 0
  const varint = (zigzag: number): void => {
    let rest = zigzag
    while (rest >= 0x80) {
      buffer[at] = (rest & 0x7f) | 0x80
      at += 1
      rest = Math.floor(rest / 0x80)
    }
    buffer[at] = rest
    at += 1
  }
  const size = (value: number): void => varint(value * 2)
  return {
    buffer,
    at: () => at,
    int8: (value: number): void => {
      at = buffer.writeInt8(value, at)
    },
    int16: (value: number): void => {
      at = buffer.writeInt16BE(value, at)
    },
    int32: (value: number): void => {
      at = buffer.writeInt32BE(value, at)
    },
    int64: (value: bigint): void => {
      at = buffer.writeBigInt64BE(value, at)
    },
    varint,
    size,
    text: (text: string): void => {
      const bytes = Buffer.byteLength(text)
      size(bytes)
      at += buffer.write(text, at, bytes, 'utf8')
    },
    string: (text: string): void => {
      at = buffer.writeInt16BE(Buffer.byteLength(text), at)
      at += buffer.write(text, at, 'utf8')
    },
    bytes: (value: Buffer): void => {
      size(value.byteLength)
      at += value.copy(buffer, at)
    },
  }
}
type Writer = ReturnType<typeof createWriter>

const writeRecord = (writer: Writer, message: ProducedMessage, bytes: number, offsetDelta: number): void => {
  const { key, value, headers } = message
  writer.size(bytes)
  writer.int8(0)
  writer.varint(0)
  writer.size(offsetDelta)
  if (key === null) writer.varint(NULL_LENGTH)
  else writer.text(key)
  writer.bytes(value)
  const names = Object.keys(headers)
  writer.size(names.length)
  for (const name of names) {
    writer.text(name)
    writer.text(headers[name] ?? '')
  }
}

/**
 * The body of a Produce request of versions 3 to 8, with one record batch (magic 2) for each partition:
 * https://kafka.apache.org/protocol#The_Messages_Produce and https://kafka.apache.org/documentation/#recordbatch .
 * Equals kafkajs' encoding byte by byte, in one buffer: kafkajs makes a buffer for each record and copies it six times.
 */
export const encodeProduce = (fields: ProduceFields, now: number): Buffer => {
  const { acks, timeout, producerId, producerEpoch, topicData } = fields
  const sizes: number[] = []
  let total = 2 + 2 + 4 + 4
  for (const { topic, partitions } of topicData) {
    total += 2 + Buffer.byteLength(topic) + 4
    for (const { messages } of partitions) {
      total += 4 + 4 + BATCH_PREFIX_BYTES + BATCH_HEAD_BYTES
      for (const [delta, message] of messages.entries()) {
        const bytes = bodyBytes(message, delta)
        sizes.push(bytes)
        total += sizeBytes(bytes) + bytes
      }
    }
  }
  const writer = createWriter(total)
  writer.int16(NULL_STRING)
  writer.int16(acks)
  writer.int32(timeout)
  writer.int32(topicData.length)
  let record = 0
  const producer = BigInt(producerId)
  for (const { topic, partitions } of topicData) {
    writer.string(topic)
    writer.int32(partitions.length)
    for (const { partition, firstSequence, messages } of partitions) {
      let bytes = BATCH_HEAD_BYTES
      for (let at = 0; at < messages.length; at += 1) {
        const own = sizes[record + at] ?? 0
        bytes += sizeBytes(own) + own
      }
      writer.int32(partition)
      writer.int32(BATCH_PREFIX_BYTES + bytes)
      const start = writer.at()
      writer.int64(0n)
      writer.int32(bytes)
      writer.int32(0)
      writer.int8(MAGIC)
      const checksumAt = writer.at()
      writer.int32(0)
      writer.int16(0)
      writer.int32(messages.length - 1)
      writer.int64(BigInt(now))
      writer.int64(BigInt(now))
      writer.int64(producer)
      writer.int16(producerEpoch)
      writer.int32(firstSequence)
      writer.int32(messages.length)
      for (const [delta, message] of messages.entries()) {
        writeRecord(writer, message, sizes[record] ?? 0, delta)
        record += 1
      }
      writer.buffer.writeUInt32BE(crc32c(writer.buffer, start + CHECKED_FROM, writer.at()), checksumAt)
    }
  }
  return writer.buffer
}
