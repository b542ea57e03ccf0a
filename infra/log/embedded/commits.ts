import type { DatabaseSync } from 'node:sqlite'
import type { Commit, GroupPartition, Offset } from '../port.ts'
import type { Catalogue, Partition } from './catalogue.ts'
import type { Records } from './records.ts'

export type Commits = ReturnType<typeof createCommits>

interface CommittedPosition {
  readonly position: Offset
  readonly committed: Commit | null
}

/** How far each group has come. */
export const createCommits = (database: DatabaseSync, catalogue: Catalogue, records: Records) => {
  const begin = database.prepare(
    'insert into commits (group_name, partition_id, offset) values (?, ?, ?) on conflict do nothing',
  )
  const see = database.prepare(
    `insert into readers (group_name, topic_id, seen_at) values (?, ?, ?)
     on conflict (group_name, topic_id) do update set seen_at = excluded.seen_at`,
  )
  const upsert = database.prepare(
    `insert into commits (group_name, partition_id, offset, metadata) values (?, ?, ?, ?)
     on conflict (group_name, partition_id) do update set offset = excluded.offset, metadata = excluded.metadata`,
  )
  const select = database.prepare('select offset, metadata from commits where group_name = ? and partition_id = ?')

  const readPosition = (group: string, partition: Partition): CommittedPosition | null => {
    const row = select.get(group, partition.id)
    if (row === undefined) return null
    const position = Number(row.offset)
    const metadata = row.metadata
    return { position, committed: typeof metadata === 'string' ? { offset: position, metadata } : null }
  }

  return {
    readPosition,

    /**
     * Inside a transaction. The group reads the topics from now on: its place on each partition is kept from its first
     * moment, so that a group that begins at the latest record misses nothing when it stops before its first commit.
     */
    begin(group: string, topics: readonly string[], from: 'earliest' | 'latest'): void {
      for (const name of topics) {
        const topic = catalogue.topic(name)
        see.run(group, topic.id, Date.now())
        for (const partition of topic.partitions) {
          begin.run(group, partition.id, from === 'latest' ? partition.nextOffset : records.firstOffset(partition))
        }
      }
    },

    /** Inside a transaction. */
    commit(group: string, partition: Partition, { offset, metadata }: Commit): void {
      upsert.run(group, partition.id, offset, metadata)
    },

    lag(group: string): readonly GroupPartition[] {
      const partitions = catalogue.topics().flatMap(topic => topic.partitions)
      return partitions.flatMap(partition => {
        const at = readPosition(group, partition)
        if (at === null) return []
        const { topic, partition: number, nextOffset: highWatermark } = partition
        const oldestUncommittedAt = records.timeAt(partition, at.position)
        return [{ group, topic, partition: number, committed: at.position, highWatermark, oldestUncommittedAt }]
      })
    },
  }
}
