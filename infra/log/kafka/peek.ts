import type { Cluster, Kafka, KafkaMessage } from 'kafkajs'
import type { Offset, TopicPartition } from '../port.ts'
import { openCluster } from './connection.ts'
import { nameOf } from './group-positions.ts'

interface FetchResponse {
  readonly responses: readonly {
    readonly topicName: string
    readonly partitions: readonly { readonly partition: number; readonly messages: readonly KafkaMessage[] }[]
  }[]
}

type At = TopicPartition & { readonly offset: Offset }

/** Looks at single records, outside of any group. */
export const createPeek = (kafka: Kafka) => {
  let connected: ReturnType<typeof openCluster> | null = null

  const fetchFrom = async (
    cluster: Cluster,
    nodeId: string,
    positions: readonly At[],
  ): Promise<Map<string, number>> => {
    const broker = await cluster.findBroker({ nodeId })
    const byTopic = Map.groupBy(positions, ({ topic }) => topic)
    // A broker sends one batch at least, however little is asked for.
    const topics = [...byTopic].map(([topic, wanted]) => ({
      topic,
      partitions: wanted.map(({ partition, offset }) => ({ partition, fetchOffset: `${offset}`, maxBytes: 1 })),
    }))
    // kafkajs has no type for what it decodes; this is the part of Kafka's Fetch response that is needed.
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
    /** When the log took the record at each place or the next after it, by the name of the partition. */
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
      // A small answer may leave partitions out, though never all of them.
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
