import type { Consumer as KafkaConsumer } from 'kafkajs'
import { AssayError } from '../../runtime/errors.ts'
import type { TopicPartition } from '../port.ts'
import { stickyAssigner } from './assigner.ts'
import { createKafka, type KafkaConnectionOptions } from './connection.ts'

export interface GroupTimings {
  /** A member that nobody hears of for this long loses its partitions. */
  readonly sessionTimeoutMs: number
  /** How often a member is heard of, and learns that others came or went. */
  readonly heartbeatMs: number
}

interface MembershipOptions extends GroupTimings {
  readonly connection: KafkaConnectionOptions
  readonly group: string
  readonly holdings: () => readonly TopicPartition[]
  /**
   * The member has these partitions now. `unbroken` says that it was in the group all along, so that what it keeps nobody else
   * can have had in between.
   */
  readonly onJoin: (assigned: readonly TopicPartition[], unbroken: boolean) => void
  /** kafkajs gave up; it must be built anew. */
  readonly onCrash: (error: Error) => void
}

/** How long a fetch waits for records: also how long it takes until a partition that was paused is fetched again. */
const MAX_WAIT_MS = 200
const REBALANCE_TIMEOUT_MS = 30_000
const PARTITION_BYTES = 1024 * 1024
const FETCH_BYTES = 16 * 1024 * 1024

export interface Membership {
  readonly consumer: KafkaConsumer
  /** When kafkajs last showed a sign of life, milliseconds since the epoch. */
  aliveAt(): number
}

/** kafkajs's consumer, set up so that it decides as little as possible: no commits, no restarts of its own. */
export const createMembership = (options: MembershipOptions): Membership => {
  const { connection, group, holdings, onJoin, onCrash, sessionTimeoutMs, heartbeatMs } = options
  let aliveAt = Date.now()
  let attempts = 0
  let knownAs: string | null = null
  const joining = (): void => {
    attempts += 1
  }
  const consumer = createKafka(connection).consumer({
    groupId: group,
    partitionAssigners: [stickyAssigner({ holdings, joining })],
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
    // With a second attempt, a generation may have gone by in which somebody else had the partitions.
    const unbroken = memberId === knownAs && attempts === 1
    knownAs = memberId
    attempts = 0
    const assigned = Object.entries(memberAssignment).flatMap(([topic, partitions]) =>
      partitions.map(partition => ({ topic, partition })),
    )
    onJoin(assigned, unbroken)
  })
  consumer.on(consumer.events.CRASH, ({ payload }) => onCrash(payload.error))
  return { consumer, aliveAt: () => aliveAt }
}

export const partitionLost = ({ topic, partition }: TopicPartition): AssayError =>
  new AssayError('partition_lost', `Partition ${partition} of "${topic}" is not assigned here.`)
