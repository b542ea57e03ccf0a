import type { Kafka, Message, Producer, ProducerConfig } from 'kafkajs'
import Broker from 'kafkajs/src/broker/index.js'
import { partitionOfKey } from '../partitions.ts'
import type { OutgoingRecord } from '../port.ts'
import { translated } from './errors.ts'
import { encodeProduce, type ProducedMessage, type ProduceFields } from './produce-request.ts'
import type { Topics } from './topics.ts'

// kafkajs ended in 2023 with 2.2.4, which package.json pins: its inner files do not move any more.

const PRODUCE = 0
/** Versions whose request has the same form; a broker that takes none of them gets what kafkajs writes. */
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

/**
 * Whether a request has nothing but what `encodeProduce` writes: no compression, no transaction, no times of its own.
 */
const isPlain = ({ compression = 0, transactionalId, topicData }: BrokerProduce): boolean =>
  compression === 0 &&
  transactionalId === undefined &&
  topicData.every(({ partitions }) => partitions.every(({ messages }) => messages.every(isOurs)))

type BrokerProduce = ProduceFields & { readonly compression?: number; readonly transactionalId?: string }

/** The request that kafkajs has made, whose body is written here once it is to be sent. */
const withOwnBody = (made: ProduceProtocol, fields: BrokerProduce): ProduceProtocol => {
  const { apiVersion } = made.request
  if (apiVersion < VERSIONS.from || apiVersion > VERSIONS.to || !isPlain(fields)) return made
  const encode = async () => {
    const body = encodeProduce(fields, Date.now())
    // What kafkajs asks of its own encoder when it puts the request's head before it.
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
 * Has every kafkajs client of this process write the bodies of Produce requests as `encodeProduce` does. Which records
 * go out, their sequence numbers, retries and errors stay with kafkajs; a test holds both bodies to the same bytes.
 */
const useOwnEncoding = (): void => {
  if (isInstalled) return
  isInstalled = true
  const { produce } = Broker.prototype
  Broker.prototype.produce = function (fields) {
    const { lookupRequest } = this
    // Of this broker, for the moment in which kafkajs looks the request up: it does so before it waits for anything.
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

/** Appends that share a request share its fate, so a request is kept far below what a topic takes. */
const GROUP_BYTES = 1024 * 1024
export const ALL_REPLICAS = -1

/** Takes no record twice, and puts each where its message says. */
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
 * Messages that kafkajs has by their partition at once. It puts them together by a `reduce` that copies, for each
 * message, all those before it.
 */
const byPartition = (messages: Message[]): Message[] => {
  const together = Object.groupBy(messages, ({ partition = 0 }) => partition)
  return Object.defineProperty(messages, 'reduce', { value: () => together })
}

/** Sends with one request at a time: what comes while one is under way goes out together in the next. */
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
   * A producer that failed does not know which of its sequence numbers are taken: a broker would mistake the next
   * records for those it has, and drop them. The next producer has an id of its own.
   */
  const discard = (): void => {
    const spoiled = producer
    producer = null
    spoiled?.then(one => one.disconnect()).catch(() => {})
  }

  /**
   * The partition is chosen here, once: kafkajs would choose anew at each attempt, and double records without a key.
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

    /** Sends what waits, then goes. */
    async close(): Promise<void> {
      await draining
      const last = await producer?.catch(() => null)
      await last?.disconnect().catch(() => {})
    },
  }
}

/** An append of more has requests of its own: one of a megabyte takes as long as dozens of ordinary ones. */
const LARGE_BYTES = 64 * 1024

/**
 * Appends with one request at a time, and another one for large appends, behind which nobody else's wait. What comes
 * meanwhile goes out together in the next. That is the linger, and it costs a lone append nothing.
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

    /** Sends what waits, then goes. */
    close: async (): Promise<void> => void (await Promise.all([ordinary.close(), large.close()])),
  }
}
