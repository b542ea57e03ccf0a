import type { Admin } from 'kafkajs'
import { AssayError } from '../../runtime/errors.ts'
import { withDeadline } from '../../runtime/promises.ts'
import type { Consumer, GroupPartition, Log } from '../port.ts'
import { createKafka, type KafkaConnectionOptions, sayingTls } from './connection.ts'
import { startConsumer } from './consumer.ts'
import { kafkaErrorType, toAssayError, translated } from './errors.ts'
import { type GroupPosition, loadGroupPositions, nameOf } from './group-positions.ts'
import { createPeek } from './peek.ts'
import { createAppender } from './producer.ts'
import { startRetention } from './retention.ts'
import { createTopics } from './topics.ts'

/** A group's place on every partition that it has a commit or a starting place on. */
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

/** None for a topic that was deleted since: a group's commits outlive it. */
const axisPositions = async (admin: Admin, group: string, topic: string): Promise<GroupPosition[]> => {
  try {
    return await loadGroupPositions(admin, group, [topic])
  } catch (error) {
    if (kafkaErrorType(error) === 'UNKNOWN_TOPIC_OR_PARTITION') return []
    throw error
  }
}

interface KafkaLogOptions extends KafkaConnectionOptions {
  /** Copies of each partition; -1, the default, leaves it to the brokers (default.replication.factor). */
  readonly replicationFactor?: number
  /** How often records that are past their topic's retention are removed. Default one minute. */
  readonly retentionSweepMs?: number
  /** A consumer that nobody hears of for this long loses its partitions. Default 10 s. */
  readonly sessionTimeoutMs?: number
  /** How often a consumer is heard of, and learns that others came or went. Default one second. */
  readonly heartbeatMs?: number
  /** A consumer that stands still for this long is built anew. Default one minute. */
  readonly stallMs?: number
}

const PING_TIMEOUT_MS = 5000

/** The log on Apache Kafka. Connects when it is first needed, and again whenever it has to. */
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
      throw await sayingTls(error, options)
    })
    return connected
  }
  const topics = createTopics(admin, replicationFactor)
  const appender = createAppender(kafka, topics)
  const retention = startRetention({ admin, topics, sweepMs: retentionSweepMs, logger })

  /** Work that needs the log open, with errors in the words of this product. */
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
