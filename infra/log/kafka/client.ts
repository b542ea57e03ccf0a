import type { Admin, Cluster, Kafka, KafkaMessage } from 'kafkajs'
import { AssayError } from '../../runtime/errors.ts'
import { withDeadline } from '../../runtime/promises.ts'
import type { Consumer, GroupPartition, Log, Offset, TopicPartition } from '../port.ts'
import { createKafka, type KafkaConnectionOptions, openCluster, withTlsAdvice } from './connection.ts'
import { startConsumer } from './consumer.ts'
import { kafkaErrorType, toAssayError, translated } from './errors.ts'
import { type GroupPosition, loadGroupPositions, nameOf } from './group-positions.ts'
import { createAppender } from './producer.ts'
import { startRetention } from './retention.ts'
import { createTopics } from './topics.ts'

/** A group's position on every partition where it has a commit or a starting position. */
const loadLag = async (admin: Admin, peek: ReturnType<typeof createPeek>, group: string): Promise<GroupPartition[]> => {
  const stored = await admin.fetchOffsets({ groupId: group })
  const topics = stored.map(({ topic }) => topic)
  const positions = (await Promise.all(topics.map(topic => axisPositions(admin, group, topic)))).flat()
  const known = positions.flatMap(position => {
    const committed = position.committed?.offset ?? position.start
    return committed === null ? [] : [{ ...position, committed }]
  })
  const behind = known.filter(({ committed, high }) => committed < high)
  const timestamps = await peek.timestamps(
    behind.map(({ topic, partition, committed, low }) => ({ topic, partition, offset: Math.max(committed, low) })),
  )
  return known.map(position => ({
    group,
    topic: position.topic,
    partition: position.partition,
    committed: position.committed,
    highWatermark: position.high,
    oldestUncommittedAt: timestamps.get(nameOf(position)) ?? null,
  }))
}

/** Empty for a deleted topic: a group's commits outlive the topic. */
const axisPositions = async (admin: Admin, group: string, topic: string): Promise<GroupPosition[]> => {
  try {
    return await loadGroupPositions(admin, group, [topic])
  } catch (error) {
    if (kafkaErrorType(error) === 'UNKNOWN_TOPIC_OR_PARTITION') return []
    throw error
  }
}

interface KafkaLogOptions extends KafkaConnectionOptions {
  /** Copies of each partition; -1, the default, uses the brokers' default.replication.factor. */
  readonly replicationFactor?: number
  /** Interval between removals of records past their topic's retention, ms. Default one minute. */
  readonly retentionSweepMs?: number
  /** A consumer that is silent for this long loses its partitions, ms. Default 10 s. */
  readonly sessionTimeoutMs?: number
  /** Interval of heartbeats, ms, in which a consumer also learns of a rebalance. Default one second. */
  readonly heartbeatMs?: number
  /** A consumer without progress for this long is replaced, ms. Default one minute. */
  readonly stallMs?: number
}

const PING_TIMEOUT_MS = 5000

/** The log on Apache Kafka. Connects at its first use, and again when a connection is lost. */
export const createKafkaLog = (options: KafkaLogOptions): Log => {
  const { replicationFactor = -1, retentionSweepMs = 60_000, sessionTimeoutMs = 10_000, heartbeatMs = 1000 } = options
  const { stallMs = 60_000, logger } = options
  const kafka = createKafka(options)
  const peek = createPeek(kafka)
  const consumers = new Set<Consumer>()
  let connected: Promise<Admin> | null = null
  let closing: Promise<void> | null = null

  const connect = async (): Promise<Admin> => {
    const created = kafka.admin()
    await created.connect()
    return created
  }
  const admin = (): Promise<Admin> => {
    connected ??= connect().catch(async error => {
      connected = null
      throw await withTlsAdvice(error, options)
    })
    return connected
  }
  const topics = createTopics(admin, replicationFactor)
  const appender = createAppender(kafka, topics)
  const retention = startRetention({ admin, topics, sweepMs: retentionSweepMs, logger })

  /** Runs work while the log is open, and translates its errors. */
  const whileOpen = async <T>(work: () => Promise<T>): Promise<T> => {
    if (closing !== null) throw new AssayError('unavailable', 'This client of the log is closed.')
    return translated(work)
  }

  const close = async (): Promise<void> => {
    await Promise.all([...consumers].map(consumer => consumer.stop()))
    await Promise.all([retention.stop(), appender.close(), peek.close()])
    await (await connected?.catch(() => null))?.disconnect()
  }

  return {
    ensureTopics: definitions => whileOpen(() => topics.ensure(definitions)),
    topics: () => whileOpen(topics.names),
    append: records => whileOpen(() => appender.append(records)),
    consume: given =>
      whileOpen(async () => {
        const timings = { sessionTimeoutMs, heartbeatMs, stallMs }
        const consumer = await startConsumer({ connection: options, options: given, admin, topics, ...timings })
        consumers.add(consumer)
        return {
          ...consumer,
          async stop() {
            await consumer.stop()
            consumers.delete(consumer)
          },
        }
      }),
    lag: group => whileOpen(async () => loadLag(await admin(), peek, group)),
    ping: () =>
      whileOpen(async () => {
        const answer = admin().then(client => client.describeCluster())
        await withDeadline(answer, PING_TIMEOUT_MS, 'Asking the brokers').catch(error => {
          throw new AssayError('unavailable', 'The log cannot be reached.', { cause: toAssayError(error) })
        })
      }),
    close() {
      closing ??= close()
      return closing
    },
  }
}

interface FetchResponse {
  readonly responses: readonly {
    readonly topicName: string
    readonly partitions: readonly { readonly partition: number; readonly messages: readonly KafkaMessage[] }[]
  }[]
}

type At = TopicPartition & { readonly offset: Offset }

/** Reads single records outside of any group. */
const createPeek = (kafka: Kafka) => {
  let connected: ReturnType<typeof openCluster> | null = null

  const fetchFrom = async (
    cluster: Cluster,
    nodeId: string,
    positions: readonly At[],
  ): Promise<Map<string, number>> => {
    const broker = await cluster.findBroker({ nodeId })
    const byTopic = Map.groupBy(positions, ({ topic }) => topic)
    // A broker sends at least one batch, whatever the limit.
    const topics = [...byTopic].map(([topic, wanted]) => ({
      topic,
      partitions: wanted.map(({ partition, offset }) => ({ partition, fetchOffset: `${offset}`, maxBytes: 1 })),
    }))
    // kafkajs has no type for decoded responses; this is the needed part of Kafka's Fetch response.
    const response = (await broker.fetch({ maxWaitTime: 100, minBytes: 1, topics })) as FetchResponse
    const timestamps = new Map<string, number>()
    for (const { topicName: topic, partitions } of response.responses) {
      for (const { partition, messages } of partitions) {
        const name = nameOf({ topic, partition })
        const offset = positions.find(position => nameOf(position) === name)?.offset ?? 0
        const message = messages.find(one => Number(one.offset) >= offset)
        if (message !== undefined) timestamps.set(name, Number(message.timestamp))
      }
    }
    return timestamps
  }

  return {
    /** By partition name, the time at which the log took the record at the position, or the next record. */
    async timestamps(positions: readonly At[]): Promise<ReadonlyMap<string, number>> {
      if (positions.length === 0) return new Map()
      connected ??= openCluster(kafka).catch(error => {
        connected = null
        throw error
      })
      const { cluster } = await connected
      await cluster.addMultipleTargetTopics([...new Set(positions.map(({ topic }) => topic))])
      const leaderOf = ({ topic, partition }: At): string =>
        Object.keys(cluster.findLeaderForPartitions(topic, [partition]))[0] ?? ''
      const byLeader = Map.groupBy(positions, leaderOf)
      let missing = positions.length
      const found = new Map<string, number>()
      // A short response may leave partitions out, though never all of them.
      for (const [nodeId, wanted] of byLeader) {
        let rest: readonly At[] = wanted
        while (rest.length > 0 && missing > 0) {
          const some = await fetchFrom(cluster, nodeId, rest)
          if (some.size === 0) break
          for (const [name, timestamp] of some) found.set(name, timestamp)
          rest = rest.filter(position => !found.has(nameOf(position)))
          missing -= some.size
        }
      }
      return found
    },

    async close(): Promise<void> {
      await (await connected?.catch(() => null))?.close()
    },
  }
}
