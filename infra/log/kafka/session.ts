import { setTimeout as sleep } from 'node:timers/promises'
import type { Admin } from 'kafkajs'
import { withDeadline } from '../../runtime/promises.ts'
import type { PartitionLoop } from '../partition-loop.ts'
import type { ConsumeOptions, TopicPartition } from '../port.ts'
import { type AssignedPartition, startAssignedPartition } from './assigned-partition.ts'
import { createCommits } from './commits.ts'
import type { KafkaConnectionOptions } from './connection.ts'
import { toAssayError } from './errors.ts'
import type { FetchBuffer } from './fetch-buffer.ts'
import { type GroupPosition, loadGroupPositions, nameOf, START_NOTE, startOffset } from './group-positions.ts'
import { createMembership, type GroupTimings } from './membership.ts'

export interface SessionOptions extends GroupTimings {
  readonly connection: KafkaConnectionOptions
  readonly options: ConsumeOptions
  readonly admin: () => Promise<Admin>
  /** Number of partitions of all topics. */
  readonly partitions: number
  /** Ends of loops that still run, of this session and of earlier ones, by partition name. */
  readonly stoppingLoops: Map<string, Promise<void>>
  /** The session is broken and must be replaced. */
  readonly onCrash: (error: unknown) => void
}

export type Session = Awaited<ReturnType<typeof openSession>>

const BEGIN_PAUSE_MS = 500
const DISCONNECT_MS = 10_000

/**
 * One membership in a group, with the loops over its partitions. A session is
 * - joining: until the first `onJoin`;
 * - joined: each `onJoin` ends the loops of lost partitions, keeps the others, and starts loops for new partitions
 *   after their positions are loaded;
 * - ended: by `close`, which lets handlers finish, or by `abandon`, which does not. A crash of kafkajs calls
 *   `onCrash`; the consumer then abandons the session and opens another.
 */
export const openSession = async (session: SessionOptions) => {
  const { connection, options, admin, partitions, stoppingLoops, onCrash, ...timings } = session
  const { group, topics, from } = options
  const { logger } = connection
  const assignedPartitions = new Map<string, AssignedPartition>()
  const commits = createCommits()
  let joins = 0
  let ending = false

  const stopPartition = ({ loop, buffer }: AssignedPartition): void => {
    loop.end()
    buffer.end()
  }

  /** Another member has the partition now: ends its loop. */
  const lose = (name: string): void => {
    const one = assignedPartitions.get(name)
    if (one === undefined) return
    assignedPartitions.delete(name)
    stopPartition(one)
    const { done } = one.loop
    stoppingLoops.set(name, done)
    void done.then(() => stoppingLoops.get(name) === done && stoppingLoops.delete(name))
  }

  const begin = (position: GroupPosition): void => {
    const name = nameOf(position)
    const isAssigned = (buffer: FetchBuffer): boolean => assignedPartitions.get(name)?.buffer === buffer
    assignedPartitions.set(
      name,
      startAssignedPartition({
        position,
        options,
        consumer,
        admin,
        commits,
        logger,
        isAssigned,
        after: stoppingLoops.get(name),
      }),
    )
  }

  const storeStarts = async (positions: readonly GroupPosition[]): Promise<void> => {
    const begins = positions.filter(({ committed, start }) => committed === null && start === null)
    if (begins.length === 0) return
    await consumer.commitOffsets(
      begins.map(position => ({
        topic: position.topic,
        partition: position.partition,
        offset: `${startOffset(position, from)}`,
        metadata: START_NOTE,
      })),
    )
  }

  const beginAll = async (assigned: readonly TopicPartition[]): Promise<void> => {
    const join = joins
    const isCurrent = (): boolean => join === joins && !ending
    const names = new Set(assigned.map(nameOf))
    const affected = [...new Set(assigned.map(({ topic }) => topic))]
    while (isCurrent()) {
      try {
        const positions = (await loadGroupPositions(await admin(), group, affected)).filter(position =>
          names.has(nameOf(position)),
        )
        if (isCurrent()) await storeStarts(positions)
        if (isCurrent()) for (const position of positions) begin(position)
        return
      } catch (error) {
        if (!isCurrent()) return
        logger.warn({ reason: toAssayError(error).publicMessage, group }, 'waiting for the places of a consumer group')
        await sleep(BEGIN_PAUSE_MS)
      }
    }
  }

  const onJoin = (assigned: readonly TopicPartition[], unbroken: boolean): void => {
    joins += 1
    const names = new Set(assigned.map(nameOf))
    for (const name of assignedPartitions.keys()) if (!unbroken || !names.has(name)) lose(name)
    for (const { buffer } of assignedPartitions.values()) buffer.rejoined()
    const added = assigned.filter(at => !assignedPartitions.has(nameOf(at)))
    consumer.pause(added.map(({ topic, partition }) => ({ topic, partitions: [partition] })))
    if (added.length > 0) void beginAll(added)
  }

  const holdings = (): TopicPartition[] =>
    [...assignedPartitions.values()].map(({ loop: { topic, partition } }) => ({ topic, partition }))
  const membership = createMembership({ ...timings, connection, group, holdings, onJoin, onCrash })
  const { consumer } = membership

  try {
    await consumer.connect()
    await consumer.subscribe({ topics: [...topics], fromBeginning: true })
  } catch (error) {
    await consumer.disconnect().catch(() => {})
    throw error
  }
  await consumer.run({
    autoCommit: false,
    // One slow handler must not delay other partitions.
    partitionsConsumedConcurrently: partitions,
    eachBatch: async payload => {
      const { topic, partition } = payload.batch
      const one = assignedPartitions.get(nameOf({ topic, partition }))
      if (one === undefined || one.loop.isEnding()) payload.pause()
      else await one.buffer.offer(payload)
    },
  })

  return {
    /** False when kafkajs gave up before the first join. */
    hasJoined: (): boolean => joins > 0,
    aliveAt: membership.aliveAt,
    assignedPartitions: (at: TopicPartition): PartitionLoop | undefined => assignedPartitions.get(nameOf(at))?.loop,
    assignment: (): TopicPartition[] =>
      holdings().filter(at => assignedPartitions.get(nameOf(at))?.loop.isEnding() === false),
    feeds: (): readonly FetchBuffer[] => [...assignedPartitions.values()].map(({ buffer }) => buffer),
    /** Lets handlers finish while the member is still in the group, so that their commits count, then leaves. */
    async close(): Promise<void> {
      ending = true
      for (const one of assignedPartitions.values()) stopPartition(one)
      await Promise.all([...assignedPartitions.values()].map(({ loop }) => loop.done))
      membership.endFetches()
      await withDeadline(consumer.disconnect(), DISCONNECT_MS, 'Leaving the group').catch(error => {
        logger.debug({ reason: toAssayError(error).publicMessage, group }, 'A consumer left without a goodbye.')
      })
    },
    /** Ends everything at once: the group works without this member already. */
    abandon(): void {
      ending = true
      for (const name of assignedPartitions.keys()) lose(name)
      membership.endFetches()
      consumer.disconnect().catch(() => {})
    },
  }
}
