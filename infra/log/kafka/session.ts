import { setTimeout as sleep } from 'node:timers/promises'
import type { Admin } from 'kafkajs'
import { withDeadline } from '../../runtime/deadline.ts'
import type { PartitionLoop } from '../partition-loop.ts'
import type { ConsumeOptions, TopicPartition } from '../port.ts'
import type { KafkaConnectionOptions } from './connection.ts'
import { toAssayError } from './errors.ts'
import type { Feed } from './feed.ts'
import { type Held, holdPartition } from './held-partition.ts'
import { createMembership, type GroupTimings } from './membership.ts'
import { loadPlaces, nameOf, type Place, positionOf, START_NOTE } from './places.ts'

export interface SessionOptions extends GroupTimings {
  readonly connection: KafkaConnectionOptions
  readonly options: ConsumeOptions
  readonly admin: () => Promise<Admin>
  /** How many partitions the topics have together. */
  readonly partitions: number
  /** Loops that are not through yet, of this session and of earlier ones, by the name of the partition. */
  readonly endings: Map<string, Promise<void>>
  /** The session is of no use any more. */
  readonly onCrash: (error: unknown) => void
}

export type Session = Awaited<ReturnType<typeof openSession>>

const BEGIN_PAUSE_MS = 500
const DISCONNECT_MS = 10_000

/** One membership in a group, from joining until it ends or breaks, and the loops over the partitions it has. */
export const openSession = async (session: SessionOptions) => {
  const { connection, options, admin, partitions, endings, onCrash, ...timings } = session
  const { group, topics, from } = options
  const { logger } = connection
  const held = new Map<string, Held>()
  let joins = 0
  let ending = false

  const quit = ({ loop, feed }: Held): void => {
    loop.end()
    feed.end()
  }

  /** The partition is somebody else's by now. */
  const lose = (name: string): void => {
    const one = held.get(name)
    if (one === undefined) return
    held.delete(name)
    quit(one)
    const { done } = one.loop
    endings.set(name, done)
    void done.then(() => endings.get(name) === done && endings.delete(name))
  }

  const begin = (place: Place): void => {
    const name = nameOf(place)
    const isHeld = (feed: Feed): boolean => held.get(name)?.feed === feed
    held.set(name, holdPartition({ place, options, consumer, admin, logger, isHeld, after: endings.get(name) }))
  }

  const storeStarts = async (places: readonly Place[]): Promise<void> => {
    const begins = places.filter(({ committed, start }) => committed === null && start === null)
    if (begins.length === 0) return
    await consumer.commitOffsets(
      begins.map(place => ({
        topic: place.topic,
        partition: place.partition,
        offset: `${positionOf(place, from)}`,
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
        const places = (await loadPlaces(await admin(), group, affected)).filter(place => names.has(nameOf(place)))
        if (isCurrent()) await storeStarts(places)
        if (isCurrent()) for (const place of places) begin(place)
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
    for (const name of held.keys()) if (!unbroken || !names.has(name)) lose(name)
    for (const { feed } of held.values()) feed.rejoined()
    const added = assigned.filter(at => !held.has(nameOf(at)))
    consumer.pause(added.map(({ topic, partition }) => ({ topic, partitions: [partition] })))
    if (added.length > 0) void beginAll(added)
  }

  const holdings = (): TopicPartition[] =>
    [...held.values()].map(({ loop: { topic, partition } }) => ({ topic, partition }))
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
    // A batch whose handler is slow keeps no other waiting.
    partitionsConsumedConcurrently: partitions,
    eachBatch: async payload => {
      const { topic, partition } = payload.batch
      const one = held.get(nameOf({ topic, partition }))
      if (one === undefined || one.loop.isEnding()) payload.pause()
      else await one.feed.offer(payload)
    },
  })

  return {
    /** False when kafkajs gave up before the first time. */
    hasJoined: (): boolean => joins > 0,
    aliveAt: membership.aliveAt,
    held: (at: TopicPartition): PartitionLoop | undefined => held.get(nameOf(at))?.loop,
    assignment: (): TopicPartition[] => holdings().filter(at => held.get(nameOf(at))?.loop.isEnding() === false),
    feeds: (): readonly Feed[] => [...held.values()].map(({ feed }) => feed),
    /** Lets the handlers under way finish while the member is still in the group, so that their commits count; then leaves. */
    async close(): Promise<void> {
      ending = true
      for (const one of held.values()) quit(one)
      await Promise.all([...held.values()].map(({ loop }) => loop.done))
      await withDeadline(consumer.disconnect(), DISCONNECT_MS, 'Leaving the group').catch(error => {
        logger.debug({ reason: toAssayError(error).publicMessage, group }, 'A consumer left without a goodbye.')
      })
    },
    /** Gives everything up at once: the group has done without this member already. */
    abandon(): void {
      ending = true
      for (const name of held.keys()) lose(name)
      consumer.disconnect().catch(() => {})
    },
  }
}
