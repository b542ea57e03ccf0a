import type { Consumer as KafkaConsumer, PartitionAssigner } from 'kafkajs'
import kafkajs from 'kafkajs'
import { AssayError } from '../../runtime/errors.ts'
import { assign } from '../partitions.ts'
import type { TopicPartition } from '../port.ts'
import { createKafka, type KafkaConnectionOptions } from './connection.ts'
import { createIdleFetch } from './idle-fetch.ts'

const NAME = 'assay-sticky'
const VERSION = 1

interface AssignerOptions {
  /** The member's partitions, sent to the group's leader, which leaves them with the member if possible. */
  readonly holdings: () => readonly TopicPartition[]
  /** Called at each attempt to join. */
  readonly joining: () => void
}

/**
 * Assigns partitions so that members keep theirs where possible. kafkajs' own assigner deals all partitions out anew,
 * and gives members topics that they did not subscribe to.
 */
const stickyAssigner =
  ({ holdings, joining }: AssignerOptions): PartitionAssigner =>
  ({ cluster }) => ({
    name: NAME,
    version: VERSION,

    protocol({ topics }) {
      joining()
      const userData = Buffer.from(JSON.stringify(holdings().map(({ topic, partition }) => [topic, partition])))
      return {
        name: NAME,
        metadata: kafkajs.AssignerProtocol.MemberMetadata.encode({ version: VERSION, topics, userData }),
      }
    },

    async assign({ members: joined }) {
      const members = joined.map(({ memberId, memberMetadata }) => {
        const decoded = kafkajs.AssignerProtocol.MemberMetadata.decode(memberMetadata)
        return { memberId, topics: new Set(decoded?.topics), owned: ownedOf(decoded?.userData) }
      })
      members.sort((one, other) => (one.memberId < other.memberId ? -1 : 1))
      const topics = [...new Set(members.flatMap(member => [...member.topics]))].sort()
      await cluster.addMultipleTargetTopics(topics)
      const partitions = topics.flatMap(topic =>
        cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => ({ topic, partition: partitionId })),
      )
      partitions.sort((one, other) => (one.topic === other.topic ? one.partition - other.partition : 0))
      const holders = new Map(members.flatMap(member => member.owned.map(owned => [owned, member] as const)))
      const current = new Map(
        partitions.flatMap(at => {
          const holder = holders.get(JSON.stringify([at.topic, at.partition]))
          return holder === undefined ? [] : [[at, holder] as const]
        }),
      )
      const assigned = assign(partitions, members, current)
      return members.map(member => {
        const own = [...assigned].filter(([, holder]) => holder === member).map(([at]) => at)
        const byTopic = Map.groupBy(own, ({ topic }) => topic)
        const assignment = Object.fromEntries(
          [...byTopic].map(([topic, owned]) => [topic, owned.map(({ partition }) => partition)]),
        )
        const userData = Buffer.alloc(0)
        const memberAssignment = kafkajs.AssignerProtocol.MemberAssignment.encode({
          version: VERSION,
          assignment,
          userData,
        })
        return { memberId: member.memberId, memberAssignment }
      })
    },
  })

/** Each partition as the JSON that was sent: `["topic",0]`. */
const ownedOf = (userData: Buffer | undefined): string[] => {
  if (userData === undefined || userData.byteLength === 0) return []
  const owned: unknown = JSON.parse(userData.toString())
  return Array.isArray(owned) ? owned.map(one => JSON.stringify(one)) : []
}

export interface GroupTimings {
  /** A member that is silent for this long loses its partitions, ms. */
  readonly sessionTimeoutMs: number
  /** Interval of heartbeats, ms, in which a member also learns of a rebalance. */
  readonly heartbeatMs: number
}

interface MembershipOptions extends GroupTimings {
  readonly connection: KafkaConnectionOptions
  readonly group: string
  readonly holdings: () => readonly TopicPartition[]
  /**
   * The member now has these partitions. `unbroken`: the member was in the group all along, so that no other member had
   * the partitions it keeps.
   */
  readonly onJoin: (assigned: readonly TopicPartition[], unbroken: boolean) => void
  /** kafkajs gave up: the consumer must be replaced. */
  readonly onCrash: (error: Error) => void
}

/** Poll interval of a resumed partition, ms: how long a fetch waits for records while a partition is paused. */
const MAX_WAIT_MS = 200
const REBALANCE_TIMEOUT_MS = 30_000
const PARTITION_BYTES = 1024 * 1024
const FETCH_BYTES = 16 * 1024 * 1024

interface Membership {
  readonly consumer: KafkaConsumer
  /** The last sign of life of kafkajs, ms since the epoch. */
  aliveAt(): number
  /** Ends all fetches: their records are not needed any more. */
  endFetches(): void
}

/** kafkajs' consumer without its automatic commits and restarts. */
export const createMembership = (options: MembershipOptions): Membership => {
  const { connection, group, holdings, onJoin, onCrash, sessionTimeoutMs, heartbeatMs } = options
  let aliveAt = Date.now()
  let attempts = 0
  let knownAs: string | null = null
  const joining = (): void => {
    attempts += 1
  }
  const idleFetch = createIdleFetch(() => consumer.paused().length === 0)
  const assigner = stickyAssigner({ holdings, joining })
  const consumer = createKafka(connection).consumer({
    groupId: group,
    partitionAssigners: [
      config => {
        // The consumer's own cluster, which kafkajs passes only to assigners.
        idleFetch.attach(config.cluster)
        return assigner(config)
      },
    ],
    sessionTimeout: sessionTimeoutMs,
    heartbeatInterval: heartbeatMs,
    rebalanceTimeout: REBALANCE_TIMEOUT_MS,
    maxWaitTimeInMs: MAX_WAIT_MS,
    maxBytesPerPartition: PARTITION_BYTES,
    maxBytes: FETCH_BYTES,
    allowAutoTopicCreation: false,
    retry: { retries: 5, initialRetryTime: 100, maxRetryTime: 2000, restartOnFailure: async () => false },
  })
  const touch = (): void => {
    aliveAt = Date.now()
  }
  consumer.on(consumer.events.FETCH_START, touch)
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    touch()
    const { memberId, memberAssignment } = payload
    // After a second attempt another member may have had the partitions for a generation.
    const unbroken = memberId === knownAs && attempts === 1
    knownAs = memberId
    attempts = 0
    const assigned = Object.entries(memberAssignment).flatMap(([topic, partitions]) =>
      partitions.map(partition => ({ topic, partition })),
    )
    onJoin(assigned, unbroken)
  })
  consumer.on(consumer.events.CRASH, ({ payload }) => onCrash(payload.error))
  return { consumer, aliveAt: () => aliveAt, endFetches: idleFetch.end }
}

export const partitionLost = ({ topic, partition }: TopicPartition): AssayError =>
  new AssayError('partition_lost', `Partition ${partition} of "${topic}" is not assigned here.`)
