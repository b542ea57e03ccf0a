import type { DatabaseSync } from 'node:sqlite'
import { AssayError } from '../../runtime/errors.ts'
import { partitionOfKey } from '../partitions.ts'
import type { Commit, GroupPartition, Offset } from '../port.ts'
import type { Catalogue, Partition, Topic } from './catalogue.ts'
import { type Calls, type Fetched, type PackedValues, packValues, type StoredHead, unpackValues } from './protocol.ts'

/** SQLite takes an empty view of an empty buffer for null, since that has no address; this view has one. */
export const EMPTY = new Uint8Array(1).subarray(0, 0)

export type Records = ReturnType<typeof createRecords>

/** Adds and reads records of the file. */
export const createRecords = (database: DatabaseSync, catalogue: Catalogue) => {
  const insert = database.prepare(
    'insert into records (partition_id, offset, timestamp, key, headers, value) values (?, ?, ?, ?, ?, ?)',
  )
  const advance = database.prepare('update partitions set next_offset = ? where id = ?')
  const select = database.prepare(
    'select offset, timestamp, key, headers, value from records where partition_id = ? and offset >= ? order by offset limit ?',
  )
  const selectTime = database.prepare(
    'select timestamp from records where partition_id = ? and offset >= ? order by offset limit 1',
  )
  const selectFirst = database.prepare('select offset from records where partition_id = ? order by offset limit 1')
  const turns = new Map<string, number>()

  /** Records without a key go to the partitions in turn. */
  const nextTurn = (topic: Topic): number => {
    const turn = turns.get(topic.name) ?? 0
    turns.set(topic.name, (turn + 1) % topic.partitions.length)
    return turn
  }

  const choose = (topic: Topic, key: string | null): Partition => {
    const number = key === null ? nextTurn(topic) : partitionOfKey(key, topic.partitions.length)
    return catalogue.partition(topic.name, number)
  }

  return {
    /** Call inside a transaction. Returns the partitions with new records. */
    append({ heads, ...packed }: Calls['append']['request']): ReadonlySet<Partition> {
      const positions = heads.map(({ topic, key }) => choose(catalogue.topic(topic), key))
      const values = unpackValues(packed)
      const timestamp = Date.now()
      for (const [index, head] of heads.entries()) {
        const partition = positions[index]
        const value = values[index]
        if (partition === undefined || value === undefined) throw new AssayError('internal', 'A record has no value.')
        insert.run(
          partition.id,
          partition.nextOffset,
          timestamp,
          head.key,
          head.headers,
          value.byteLength === 0 ? EMPTY : value,
        )
        partition.nextOffset += 1
      }
      const touched = new Set(positions)
      for (const partition of touched) advance.run(partition.nextOffset, partition.id)
      return touched
    },

    /** Reads from `offset`, or from the oldest kept record after it. */
    read(partition: Partition, offset: Offset, maxRecords: number, maxBytes: number): Fetched {
      const heads: StoredHead[] = []
      const values: Uint8Array[] = []
      let bytes = 0
      for (const row of select.iterate(partition.id, offset, maxRecords)) {
        // node:sqlite does not know the columns; they are those of the statement above.
        const { value, ...head } = row as unknown as StoredHead & { value: Uint8Array }
        bytes += value.byteLength
        if (heads.length > 0 && bytes > maxBytes) break
        heads.push(head)
        values.push(value)
      }
      return { heads, ...packValues(values), highWatermark: partition.nextOffset }
    },

    /** The append time of the oldest record at or after `offset`; null when there is none. */
    timeAt(partition: Partition, offset: Offset): number | null {
      const timestamp = selectTime.get(partition.id, offset)?.timestamp
      return typeof timestamp === 'number' ? timestamp : null
    },

    /** The oldest record's offset, or the next offset of an empty partition. */
    firstOffset(partition: Partition): Offset {
      const offset = selectFirst.get(partition.id)?.offset
      return typeof offset === 'number' ? offset : partition.nextOffset
    },
  }
}

export const nothingFetched = (partition: Partition): Fetched & PackedValues => ({
  heads: [],
  ...packValues([]),
  highWatermark: partition.nextOffset,
})

export type Commits = ReturnType<typeof createCommits>

interface CommittedPosition {
  readonly position: Offset
  readonly committed: Commit | null
}

/** The committed positions of the groups. */
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
     * Call inside a transaction. Registers the group as a reader of the topics and stores its position on each
     * partition. A group that starts at the latest record thus misses nothing if it stops before its first commit.
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

    /** Call inside a transaction. */
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
