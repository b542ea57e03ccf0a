import type { Admin, Consumer as KafkaConsumer } from 'kafkajs'
import type { Logger } from '../../runtime/logger.ts'
import { type PartitionLoop, type PartitionSource, startPartitionLoop } from '../partition-loop.ts'
import type { ConsumeOptions, Offset } from '../port.ts'
import type { Commits } from './commits.ts'
import { createFetchBuffer, type FetchBuffer } from './fetch-buffer.ts'
import { type GroupPosition, startOffset } from './group-positions.ts'

/** A partition of the member: the loop over its batches, and the buffer they come from. */
export interface AssignedPartition {
  readonly loop: PartitionLoop
  readonly buffer: FetchBuffer
}

interface AssignedPartitionOptions {
  readonly position: GroupPosition
  readonly options: ConsumeOptions
  readonly consumer: KafkaConsumer
  readonly admin: () => Promise<Admin>
  /** The member's commits. */
  readonly commits: Commits
  readonly logger: Logger
  /** True while the member has the partition, as of its last join. */
  readonly isAssigned: (buffer: FetchBuffer) => boolean
  /** The end of an earlier loop of the same partition. */
  readonly after: Promise<void> | undefined
}

/** Starts to read a partition at the group's position. */
export const startAssignedPartition = ({
  position,
  options,
  consumer,
  admin,
  commits,
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
    commit: commits.of({ buffer, isAssigned: () => isAssigned(buffer) }),
    // kafkajs sends heartbeats while handlers work.
    heartbeat: async () => {},
    highWatermark,
  }
  return { loop: startPartitionLoop({ source, options, logger, after }), buffer }
}
