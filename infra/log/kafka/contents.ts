import kafkajs, { type KafkaMessage, type Message } from 'kafkajs'
import { counted } from '../../../schemas/domain/for-people.ts'
import { AssayError } from '../../runtime/errors.ts'
import { waitFor } from '../../runtime/promises.ts'
import type {
  GroupPlace,
  LogContents,
  Offset,
  PartitionContents,
  SchemaRegistry,
  StoredSchema,
  TopicDefinition,
  TopicPartition,
} from '../port.ts'
import { createKafka, type KafkaConnectionOptions, openCluster } from './connection.ts'
import { translated } from './errors.ts'
import { storedRecord } from './fetch-buffer.ts'
import { nameOf, START_NOTE } from './group-positions.ts'
import { ALL_REPLICAS, PRODUCER } from './producer.ts'
import { createTopics } from './topics.ts'

interface FetchResponse {
  readonly responses: readonly { readonly partitions: readonly { readonly messages: readonly KafkaMessage[] }[] }[]
}

export interface InstallationTopics {
  /**
   * The installation's topics among those on the brokers, including topics of earlier settings. Other topics may exist.
   */
  readonly definitionsOf: (existing: readonly string[]) => readonly TopicDefinition[]
  /** The installation's subjects in the registry. */
  readonly subjects: readonly string[]
}

interface Options extends KafkaConnectionOptions, InstallationTopics {
  readonly registry: SchemaRegistry
}

/** The generation of a commit outside of membership, which brokers accept for a group without members. */
const NO_GENERATION = -1
/** Records per batch of empty filler records, which compress to almost nothing. */
const FILLERS = 3000
const FETCH_WAIT_MS = 200

const TIMEOUT_MS = 60_000

/**
 * The installation's topics on the brokers while all its programs are stopped. Rejects with `conflict` while a group
 * has members.
 */
export const openKafkaContents = async (options: Options): Promise<LogContents> => {
  const { registry, definitionsOf, subjects } = options
  const kafka = createKafka(options)
  /** Repeats idempotent work: not every broker knows a new topic at once, and a broker may be away for a moment. */
  const retrying = <T>(work: () => Promise<T>): Promise<T> =>
    waitFor(() => translated(work), { what: 'the log', logger: options.logger, deadlineMs: TIMEOUT_MS })
  const admin = kafka.admin()
  const topics = createTopics(async () => admin, -1)
  const producer = kafka.producer(PRODUCER)
  await translated(() => Promise.all([admin.connect(), producer.connect()]))
  const { cluster, close } = await translated(() => openCluster(kafka))
  const definitions = new Map<string, TopicDefinition>()
  const learn = (given: readonly TopicDefinition[]): void => {
    for (const definition of given) definitions.set(definition.name, definition)
  }
  learn(definitionsOf(await retrying(() => admin.listTopics())))

  const present = async (): Promise<readonly TopicDefinition[]> => {
    const { topics: found } = await admin.fetchTopicMetadata()
    const counts = new Map(found.map(topic => [topic.name, topic.partitions.length]))
    return [...definitions.values()].flatMap(definition => {
      const partitions = counts.get(definition.name)
      return partitions === undefined ? [] : [{ ...definition, partitions }]
    })
  }

  const places = async (): Promise<readonly GroupPlace[]> => {
    const { groups } = await admin.listGroups()
    const ids = groups.map(({ groupId }) => groupId)
    const found: GroupPlace[] = []
    for (const group of ids.toSorted()) {
      for (const { topic, partitions } of await admin.fetchOffsets({ groupId: group })) {
        if (!definitions.has(topic)) continue
        for (const { partition, offset, metadata } of partitions) {
          if (Number(offset) < 0) continue
          const note = metadata === START_NOTE ? null : (metadata ?? '')
          found.push({ group, topic, partition, offset: Number(offset), metadata: note })
        }
      }
    }
    const { groups: described } = await admin.describeGroups([...new Set(found.map(({ group }) => group))])
    const busy = described.find(({ members }) => members.length > 0)
    if (busy !== undefined)
      throw new AssayError(
        'conflict',
        `The consumer group ${busy.groupId} has members: a program of the installation still runs. Stop all of them first.`,
      )
    return found
  }

  const bounds = async (topic: string) => {
    const offsets = await admin.fetchTopicOffsets(topic)
    return offsets.map(({ partition, low, high }) => ({ partition, low: Number(low), high: Number(high) }))
  }

  const send = async ({ topic, partition }: TopicPartition, messages: readonly Message[]): Promise<void> => {
    const compression = kafkajs.CompressionTypes.GZIP
    const given = messages.map(message => ({ ...message, partition }))
    await producer.sendBatch({ acks: ALL_REPLICAS, compression, topicMessages: [{ topic, messages: given }] })
  }

  const nextOf = async ({ topic, partition }: TopicPartition): Promise<Offset> =>
    (await bounds(topic)).find(one => one.partition === partition)?.high ?? 0

  return {
    topics: () => retrying(present),

    partitions: () =>
      retrying(async () => {
        const groups = Map.groupBy(await places(), nameOf)
        const found: PartitionContents[] = []
        for (const { name: topic } of await present()) {
          for (const { partition, low, high } of await bounds(topic)) {
            const waiting = (groups.get(nameOf({ topic, partition })) ?? []).map(({ offset }) => offset)
            const first = waiting.length === 0 ? low : Math.max(low, Math.min(...waiting))
            found.push({ topic, partition, first, next: high })
          }
        }
        return found
      }),

    places: () => retrying(places),

    async schemas() {
      const found: StoredSchema[] = []
      for (const subject of subjects)
        for (const id of await registry.idsOf(subject))
          found.push({ id, subject, schema: await registry.schemaById(id) })
      return found.toSorted((one, other) => one.id - other.id)
    },

    read: ({ topic, partition }, offset, maxBytes) =>
      retrying(async () => {
        await cluster.addMultipleTargetTopics([topic])
        const [nodeId = ''] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]))
        const broker = await cluster.findBroker({ nodeId })
        const wanted = [{ topic, partitions: [{ partition, fetchOffset: `${offset}`, maxBytes }] }]
        // kafkajs has no type for decoded responses; this is the needed part of Kafka's Fetch response.
        const response = (await broker.fetch({
          maxWaitTime: FETCH_WAIT_MS,
          minBytes: 1,
          maxBytes,
          topics: wanted,
        })) as FetchResponse
        const messages = response.responses[0]?.partitions[0]?.messages ?? []
        // A broker sends whole batches; the first may begin before `offset`.
        return messages
          .filter(message => Number(message.offset) >= offset)
          .map(message => storedRecord({ topic, partition }, message))
      }),

    makeTopics: given =>
      retrying(async () => {
        learn(given)
        for (const { name, partitions } of given) {
          const known = (await admin.fetchTopicMetadata()).topics.find(topic => topic.name === name)
          if (known !== undefined && known.partitions.length !== partitions)
            throw new AssayError(
              'conflict',
              `The topic ${name} has ${counted(known.partitions.length, 'partition')} at the brokers, and ${partitions} where the installation is. Delete it: the move makes it anew.`,
            )
        }
        await topics.ensure(given)
      }),

    async keepSchemas(given) {
      const ids = new Map<number, number>()
      for (const { id, subject, schema } of given) ids.set(id, await retrying(() => registry.register(subject, schema)))
      return ids
    },

    advance: (place, to) =>
      retrying(async () => {
        let next = await nextOf(place)
        if (next > to) return
        while (next < to) {
          const count = Math.min(FILLERS, to - next)
          await send(
            place,
            Array.from({ length: count }, () => ({ key: null, value: null })),
          )
          next += count
        }
        const { topic, partition } = place
        if (to > 0) await admin.deleteTopicRecords({ topic, partitions: [{ partition, offset: `${to}` }] })
      }),

    add: (place, records) =>
      translated(() =>
        send(
          place,
          records.map(({ key, value, headers }) => ({
            key,
            value: Buffer.from(value.buffer, value.byteOffset, value.byteLength),
            headers: { ...headers },
          })),
        ),
      ),

    setPlaces: given =>
      retrying(async () => {
        for (const [groupId, ofGroup] of Map.groupBy(given, ({ group }) => group)) {
          const coordinator = await cluster.findGroupCoordinator({ groupId })
          const byTopic = Map.groupBy(ofGroup, ({ topic }) => topic)
          await coordinator.offsetCommit({
            groupId,
            groupGenerationId: NO_GENERATION,
            memberId: '',
            topics: [...byTopic].map(([topic, ofTopic]) => ({
              topic,
              partitions: ofTopic.map(({ partition, offset, metadata }) => ({
                partition,
                offset: `${offset}`,
                metadata: metadata ?? START_NOTE,
              })),
            })),
          })
        }
      }),

    async close() {
      await close()
      await producer.disconnect()
      await admin.disconnect()
    },
  }
}
