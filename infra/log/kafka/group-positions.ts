import type { Admin } from 'kafkajs'
import type { Commit, ConsumeOptions, Offset, TopicPartition } from '../port.ts'

/** Where a group is on a partition, and what the partition holds. */
export interface GroupPosition extends TopicPartition {
  /** Null before the group's first commit. */
  readonly committed: Commit | null
  /** Where the group began, stored when it first joined; null when that is still to be done. */
  readonly start: Offset | null
  readonly low: Offset
  readonly high: Offset
}

/**
 * The note of a group's starting place, which is stored as if it were a commit: so `latest` misses nothing before the
 * first one, and retention knows who reads the topic.
 */
export const START_NOTE = 'assay:start'

/** A group's places on the partitions of these topics. */
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

/** Where reading begins. A commit outside of what the broker has, after a loss of its disk, is brought back inside. */
export const startOffset = ({ committed, start, low, high }: GroupPosition, from: ConsumeOptions['from']): Offset => {
  const wanted = committed?.offset ?? start ?? (from === 'latest' ? high : low)
  return Math.min(Math.max(wanted, low), high)
}

export const nameOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`
