import type { Kafka, Message, Producer, ProducerConfig } from 'kafkajs'
import Broker from 'kafkajs/src/broker/index.js'
import { partitionOfKey } from '../partitions.ts'
import type { OutgoingRecord } from '../port.ts'
import { translated } from './errors.ts'
import { encodeProduce, type ProducedMessage, type ProduceFields } from './produce-request.ts'
import type { Topics } from './topics.ts'

// kafkajs ended in 2023 with 2.2.4, which package.json pins: its inner files do not change any more.

const PRODUCE = 0
/** Versions with the same request format. For a broker without any of them kafkajs encodes. */
const VERSIONS = { from: 3, to: 8 } as const

const areTexts = (headers: NonNullable<Message['headers']>): boolean => {
  for (const name in headers) if (typeof headers[name] !== 'string') return false
  return true
}

const isOurs = (message: Message): message is Message & ProducedMessage =>
  message.timestamp === undefined &&
  Buffer.isBuffer(message.value) &&
  (message.key === null || typeof message.key === 'string') &&
  message.headers !== undefined &&
  areTexts(message.headers)

/** True when a request has only what `encodeProduce` writes: no compression, no transaction, no timestamps. */
const isPlain = ({ compression = 0, transactionalId, topicData }: BrokerProduce): boolean =>
  compression === 0 &&
  transactionalId === undefined &&
  topicData.every(({ partitions }) => partitions.every(({ messages }) => messages.every(isOurs)))

type BrokerProduce = ProduceFields & { readonly compression?: number; readonly transactionalId?: string }

/** kafkajs' request, with the body encoded by us when the request is sent. */
const withOwnBody = (made: ProduceProtocol, fields: BrokerProduce): ProduceProtocol => {
  const { apiVersion } = made.request
  if (apiVersion < VERSIONS.from || apiVersion > VERSIONS.to || !isPlain(fields)) return made
  const encode = async () => {
    const body = encodeProduce(fields, Date.now())
    // The shape that kafkajs expects from an encoder before it adds the request's header.
    return { buf: body, buffer: body }
  }
  return { ...made, request: { ...made.request, encode } }
}

interface ProduceProtocol {
  readonly request: { readonly apiVersion: number; readonly encode: () => Promise<unknown> }
  readonly response: unknown
}

let isInstalled = false

/**
 * Makes every kafkajs client of this process encode Produce requests by `encodeProduce`. kafkajs still decides on
 * records, sequence numbers, retries and errors; a test compares both encodings byte by byte.
 */
const useOwnEncoding = (): void => {
  if (isInstalled) return
  isInstalled = true
  const { produce } = Broker.prototype
  Broker.prototype.produce = function (fields) {
    const { lookupRequest } = this
    // Replaced only during the call: kafkajs looks the request up synchronously.
    this.lookupRequest = (key, versions) => {
      const make = lookupRequest(key, versions)
      return key === PRODUCE ? given => withOwnBody(make(given), given) : make
    }
    try {
      return produce.call(this, fields)
    } finally {
      this.lookupRequest = lookupRequest
    }
  }
}

interface Waiting {
  readonly records: readonly OutgoingRecord[]
  readonly bytes: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Limit of a request, far below a topic's maximum: appends that share a request fail together. */
const GROUP_BYTES = 1024 * 1024
export const ALL_REPLICAS = -1

/** Idempotent, and puts each record into the partition that its message names. */
export const PRODUCER: ProducerConfig = {
  idempotent: true,
  maxInFlightRequests: 1,
  allowAutoTopicCreation: false,
  createPartitioner:
    () =>
    ({ message }) =>
      message.partition ?? 0,
}

useOwnEncoding()

/**
 * Messages grouped by partition. kafkajs groups them by a `reduce` that copies all earlier messages for each message;
 * the own `reduce` returns the groups directly.
 */
const byPartition = (messages: Message[]): Message[] => {
  const together = Object.groupBy(messages, ({ partition = 0 }) => partition)
  return Object.defineProperty(messages, 'reduce', { value: () => together })
}

/**
 * Appends with one request at a time. An append waits in the queue, leaves in the next request together with the
 * appends before it (up to 1 MiB), and then resolves or rejects with that request. The producer is missing until the
 * first request, then connecting or connected, and missing again after a failed request.
 */
const createQueue = (kafka: Kafka, topics: Topics) => {
  const queue: Waiting[] = []
  let producer: Promise<Producer> | null = null
  let draining: Promise<void> | null = null
  let spread = Math.floor(Math.random() * 0x10000)

  const connect = async (): Promise<Producer> => {
    const created = kafka.producer(PRODUCER)
    await created.connect()
    return created
  }

  /**
   * A failed producer does not know which sequence numbers the brokers took: they would mistake the next records for
   * repeats and drop them. The next producer has a new id.
   */
  const discard = (): void => {
    const spoiled = producer
    producer = null
    spoiled?.then(one => one.disconnect()).catch(() => {})
  }

  /**
   * Chooses the partition once. kafkajs would choose again at each attempt, and a record without a key could be stored
   * twice.
   */
  const messageOf = ({ key, value, headers = {} }: OutgoingRecord, partitions: number): Message => {
    if (key === null) spread += 1
    return {
      key,
      value: Buffer.isBuffer(value) ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength),
      headers,
      partition: key === null ? spread % partitions : partitionOfKey(key, partitions),
    }
  }

  const send = async (records: readonly OutgoingRecord[]): Promise<void> => {
    const topicMessages: { topic: string; messages: Message[] }[] = []
    for (const [topic, ofTopic] of Map.groupBy(records, record => record.topic)) {
      const partitions = await topics.partitions(topic)
      topicMessages.push({ topic, messages: byPartition(ofTopic.map(record => messageOf(record, partitions))) })
    }
    producer ??= connect()
    try {
      await (await producer).sendBatch({ acks: ALL_REPLICAS, topicMessages })
    } catch (error) {
      discard()
      throw error
    }
  }

  const nextGroup = (): Waiting[] => {
    let bytes = 0
    const fits = queue.findIndex(waiting => {
      bytes += waiting.bytes
      return bytes > GROUP_BYTES
    })
    return queue.splice(0, fits === -1 ? queue.length : Math.max(fits, 1))
  }

  const drain = async (): Promise<void> => {
    while (queue.length > 0) {
      const group = nextGroup()
      try {
        await translated(() => send(group.flatMap(({ records }) => records)))
        for (const { resolve } of group) resolve()
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    draining = null
  }

  return {
    async add(records: readonly OutgoingRecord[], bytes: number): Promise<void> {
      const stored = new Promise<void>((resolve, reject) => queue.push({ records, bytes, resolve, reject }))
      draining ??= drain()
      await stored
    },

    /** Sends waiting appends, then disconnects. */
    async close(): Promise<void> {
      await draining
      const last = await producer?.catch(() => null)
      await last?.disconnect().catch(() => {})
    },
  }
}

/** A larger append goes to a second queue: a request of 1 MB takes as long as dozens of ordinary ones. */
const LARGE_BYTES = 64 * 1024

/**
 * The log's append path: two queues, so that ordinary appends never wait behind large ones. Appends that come while a
 * request is under way leave together in the next. This batches like a linger, without delaying a single append.
 */
export const createAppender = (kafka: Kafka, topics: Topics) => {
  const ordinary = createQueue(kafka, topics)
  const large = createQueue(kafka, topics)
  return {
    async append(records: readonly OutgoingRecord[]): Promise<void> {
      if (records.length === 0) return
      for (const topic of new Set(records.map(record => record.topic))) {
        await translated(() => topics.partitions(topic))
      }
      const bytes = records.reduce((sum, { value }) => sum + value.byteLength, 0)
      await (bytes > LARGE_BYTES ? large : ordinary).add(records, bytes)
    },

    /** Sends waiting appends, then disconnects. */
    close: async (): Promise<void> => void (await Promise.all([ordinary.close(), large.close()])),
  }
}
