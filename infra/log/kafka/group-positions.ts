import type { Admin } from 'kafkajs'
import type { Commit, ConsumeOptions, Offset, TopicPartition } from '../port.ts'

/** A group's position on a partition, and the offsets that the partition holds. */
export interface GroupPosition extends TopicPartition {
  /** Null before the group's first commit. */
  readonly committed: Commit | null
  /** The stored starting position; null until the group's first join stored it. */
  readonly start: Offset | null
  readonly low: Offset
  readonly high: Offset
}

/**
 * Marks a group's starting position, which is stored as a commit with this metadata. `latest` thus misses nothing
 * before the first commit, and retention knows which groups read the topic.
 */
export const START_NOTE = 'assay:start'

/** A group's positions on all partitions of the topics. */
export const loadGroupPositions = async (
  admin: Admin,
  group: string,
  topics: readonly string[],
): Promise<GroupPosition[]> => {
  const stored = topics.length === 0 ? [] : await admin.fetchOffsets({ groupId: group, topics: [...topics] })
  const commits = new Map(
    stored.flatMap(({ topic, partitions }) =>
      partitions.map(({ partition, offset, metadata }) => [
        nameOf({ topic, partition }),
        { offset: Number(offset), metadata: metadata ?? '' },
      ]),
    ),
  )
  const positions = topics.map(async topic => {
    const offsets = await admin.fetchTopicOffsets(topic)
    return offsets.map(({ partition, low, high }): GroupPosition => {
      const commit = commits.get(nameOf({ topic, partition }))
      const isStored = commit !== undefined && commit.offset >= 0
      const isStart = isStored && commit.metadata === START_NOTE
      return {
        topic,
        partition,
        committed: isStored && !isStart ? commit : null,
        start: isStart ? commit.offset : null,
        low: Number(low),
        high: Number(high),
      }
    })
  })
  return (await Promise.all(positions)).flat()
}

/**
 * The offset to begin reading at. A commit outside of the kept offsets, after a broker lost its disk, is moved inside.
 */
export const startOffset = ({ committed, start, low, high }: GroupPosition, from: ConsumeOptions['from']): Offset => {
  const wanted = committed?.offset ?? start ?? (from === 'latest' ? high : low)
  return Math.min(Math.max(wanted, low), high)
}

export const nameOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`
