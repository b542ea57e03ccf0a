import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Admin, Consumer as KafkaConsumer } from 'kafkajs'
import type { Logger } from '../../runtime/logger.ts'
import { checkOffset } from '../checks.ts'
import { type PartitionLoop, type PartitionSource, startPartitionLoop } from '../partition-loop.ts'
import type { Commit, ConsumeOptions, Offset, TopicPartition } from '../port.ts'
import { toAssayError } from './errors.ts'
import { createFetchBuffer, type FetchBuffer } from './fetch-buffer.ts'
import { type GroupPosition, startOffset } from './group-positions.ts'
import { partitionLost } from './membership.ts'

const PAUSE_MS = 50
/** A rebalance ends within this time, or the member is out of the group. */
const DEADLINE_MS = 60_000

interface CommitterOptions extends TopicPartition {
  readonly buffer: FetchBuffer
  /** Whether the member has the partition, as of the last time it joined. */
  readonly isAssigned: () => boolean
}

/**
 * Commits for a partition. The coordinator refuses members of an older generation; while the group rebalances it
 * refuses everybody, so the commit is tried again once the member knows whether it keeps the partition.
 */
const createCommitter = ({ topic, partition, buffer, isAssigned }: CommitterOptions) => {
  return async ({ offset, metadata }: Commit): Promise<void> => {
    checkOffset(offset, buffer.highWatermark())
    const topics = [{ topic, partitions: [{ partition, offset: `${offset}`, metadata }] }]
    const deadline = Date.now() + DEADLINE_MS
    for (;;) {
      // kafkajs knows the new generation a few microtasks before it says so. In a new turn of the event loop both
      // agree.
      await nextTurn()
      const commit = buffer.commit()
      if (!isAssigned() || commit === null) throw partitionLost({ topic, partition })
      try {
        return await commit({ topics })
      } catch (error) {
        const translated = toAssayError(error)
        if (translated.code !== 'partition_lost' || Date.now() > deadline) throw translated
        await sleep(PAUSE_MS)
      }
    }
  }
}

/** A partition that a member has: the loop over its batches, and where they come from. */
export interface AssignedPartition {
  readonly loop: PartitionLoop
  readonly buffer: FetchBuffer
}

interface AssignedPartitionOptions {
  readonly position: GroupPosition
  readonly options: ConsumeOptions
  readonly consumer: KafkaConsumer
  readonly admin: () => Promise<Admin>
  readonly logger: Logger
  /** Whether the member still has the partition, as of the last time it joined. */
  readonly isAssigned: (buffer: FetchBuffer) => boolean
  /** An earlier loop of the same partition that is not through yet. */
  readonly after: Promise<void> | undefined
}

/** Begins to read a partition at the group's place. */
export const startAssignedPartition = ({
  position,
  options,
  consumer,
  admin,
  logger,
  isAssigned,
  after,
}: AssignedPartitionOptions): AssignedPartition => {
  const { topic, partition, high, committed } = position
  const at = [{ topic, partitions: [partition] }]
  const buffer = createFetchBuffer({
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
    if (found !== undefined) buffer.learn(Number(found.high), Number(found.low))
    return buffer.highWatermark()
  }

  const source: PartitionSource = {
    topic,
    partition,
    position: startOffset(position, options.from),
    committed,
    fetch: buffer.fetch,
    cancel: buffer.cancel,
    commit: createCommitter({ topic, partition, buffer, isAssigned: () => isAssigned(buffer) }),
    // kafkajs beats while handlers work.
    heartbeat: async () => {},
    highWatermark,
  }
  return { loop: startPartitionLoop({ source, options, logger, after }), buffer }
}
