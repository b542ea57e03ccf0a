import type { Admin, Consumer as KafkaConsumer } from 'kafkajs'
import type { Logger } from '../../runtime/logger.ts'
import { type PartitionLoop, type PartitionSource, startPartitionLoop } from '../partition-loop.ts'
import type { ConsumeOptions, Offset } from '../port.ts'
import { createCommitter } from './commits.ts'
import { createFeed, type Feed } from './feed.ts'
import { type Place, positionOf } from './places.ts'

/** A partition that a member has: the loop over its batches, and where they come from. */
export interface Held {
  readonly loop: PartitionLoop
  readonly feed: Feed
}

interface HoldOptions {
  readonly place: Place
  readonly options: ConsumeOptions
  readonly consumer: KafkaConsumer
  readonly admin: () => Promise<Admin>
  readonly logger: Logger
  /** Whether the member still has the partition, as of the last time it joined. */
  readonly isHeld: (feed: Feed) => boolean
  /** An earlier loop of the same partition that is not through yet. */
  readonly after: Promise<void> | undefined
}

/** Begins to read a partition at the group's place. */
export const holdPartition = ({ place, options, consumer, admin, logger, isHeld, after }: HoldOptions): Held => {
  const { topic, partition, high, committed } = place
  const at = [{ topic, partitions: [partition] }]
  const feed = createFeed({
    topic,
    partition,
    highWatermark: high,
    seek: offset => consumer.seek({ topic, partition, offset: `${offset}` }),
    pause: () => consumer.pause(at),
    resume: () => consumer.resume(at),
  })

  const highWatermark = async (): Promise<Offset> => {
    const offsets = await (await admin()).fetchTopicOffsets(topic)
    const found = offsets.find(one => one.partition === partition)
    if (found !== undefined) feed.learn(Number(found.high), Number(found.low))
    return feed.highWatermark()
  }

  const source: PartitionSource = {
    topic,
    partition,
    position: positionOf(place, options.from),
    committed,
    fetch: feed.fetch,
    cancel: feed.cancel,
    commit: createCommitter({ topic, partition, feed, isHeld: () => isHeld(feed) }),
    // kafkajs beats while handlers work.
    heartbeat: async () => {},
    highWatermark,
  }
  return { loop: startPartitionLoop({ source, options, logger, after }), feed }
}
