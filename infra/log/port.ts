import type { AvroSchema } from '../../schemas/events/avro.ts'

/**
 * The log: named topics divided into partitions, each a sequence of records that consumer groups read by offset. Two
 * adapters implement it, `embedded/` (SQLite) and `kafka/`; both pass the suite in `conformance/`.
 *
 * @example
 * await log.ensureTopics([{ name: 'signals', partitions: 4, retentionMs: DAY_MS }])
 * await log.append([{ topic: 'signals', key: signalId, value }])
 * const consumer = await log.consume({
 *   group: 'classify',
 *   topics: ['signals'],
 *   maxRecords: 100,
 *   onBatch: async ({ records }, { commit }) => {
 *     const next = (records.at(-1)?.offset ?? 0) + 1
 *     await commit(next)
 *     return { next }
 *   },
 * })
 */

/** A position in a partition. Starts at 0 and is never reused. */
export type Offset = number

export interface TopicDefinition {
  readonly name: string
  readonly partitions: number
  /** Older records may be removed once every group that reads the topic has committed past them. */
  readonly retentionMs: number
}

export interface OutgoingRecord {
  readonly topic: string
  /** Records of one key share a partition and keep their order. Null spreads the records. */
  readonly key: string | null
  readonly value: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

export interface StoredRecord {
  readonly topic: string
  readonly partition: number
  readonly offset: Offset
  /** When the log took the record, milliseconds since the epoch. */
  readonly timestamp: number
  readonly key: string | null
  readonly value: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

export interface TopicPartition {
  readonly topic: string
  readonly partition: number
}

/** A group's commit for a partition: the next offset to read, and a note of the group's own. */
export interface Commit {
  readonly offset: Offset
  readonly metadata: string
}

export interface Batch extends TopicPartition {
  /** In offset order, never empty. */
  readonly records: readonly StoredRecord[]
  /** The group's last commit for the partition; null before the first. */
  readonly committed: Commit | null
  /** The offset after the newest record of the partition; `highWatermark - next` is the lag. */
  readonly highWatermark: Offset
}

export interface BatchContext {
  /** Aborted when the partition is taken away or the consumer stops: finish quickly or give up. */
  readonly signal: AbortSignal
  /**
   * Commits for the batch's partition. Call it when the effects of every record below `offset` are durable. Rejects
   * with `partition_lost` when another member of the group has the partition.
   */
  commit(offset: Offset, metadata?: string): Promise<void>
  /** Tells the group that the member is alive during a long batch. */
  heartbeat(): Promise<void>
  /** The `completion` of the partition's previous batch, for work that must not overtake it. */
  readonly before: Promise<void>
}

/** Where reading continues in the batch's partition, after `pauseMs` without a batch. */
export interface Continuation {
  readonly next: Offset
  readonly pauseMs?: number
  /**
   * Work on the batch that still runs. The next batch is handled meanwhile; the batch after that waits. A rejection
   * counts as a throw of the handler: batches are delivered again from the last commit.
   */
  readonly completion?: Promise<void>
}

export interface ConsumeOptions {
  readonly group: string
  readonly topics: readonly string[]
  /** Maximum of records in a batch. */
  readonly maxRecords: number
  /** Maximum of value bytes in a batch, though a batch has at least one record. Default 8 MiB. */
  readonly maxBytes?: number
  /** Where a group without a commit begins. Default `earliest`. */
  readonly from?: 'earliest' | 'latest'
  /**
   * Called with one batch of a partition at a time; batches of different partitions may overlap. Reading continues
   * where the result says. A throw is logged, and the batch is delivered again from the last commit after a growing
   * pause.
   */
  readonly onBatch: (batch: Batch, context: BatchContext) => Promise<Continuation>
}

export interface Consumer {
  assignment(): readonly TopicPartition[]
  /**
   * Makes the partition's next batch begin at `offset`. Rejects with `partition_lost` when the partition is not
   * assigned here.
   */
  seek(partition: TopicPartition, offset: Offset): Promise<void>
  /** Lets running handlers finish, then gives the partitions up. */
  stop(): Promise<void>
}

export interface GroupPartition extends TopicPartition {
  readonly group: string
  readonly committed: Offset
  readonly highWatermark: Offset
  /** When the log took the oldest uncommitted record, milliseconds since the epoch; null without lag. */
  readonly oldestUncommittedAt: number | null
}

export interface Log {
  /** Creates missing topics. An existing topic keeps its partitions and takes over the definition's retention. */
  ensureTopics(topics: readonly TopicDefinition[]): Promise<void>
  /** The names of all topics, including other programs' topics on the brokers. */
  topics(): Promise<readonly string[]>
  /**
   * Resolves once every record is durable. Rejects when the log cannot confirm this; some records may be stored then.
   */
  append(records: readonly OutgoingRecord[]): Promise<void>
  consume(options: ConsumeOptions): Promise<Consumer>
  /** A group's position on each partition of the topics that it has committed or reads. */
  lag(group: string): Promise<readonly GroupPartition[]>
  /** Resolves when the log answers, else rejects with `unavailable`. */
  ping(): Promise<void>
  close(): Promise<void>
}

/**
 * The schemas of records, so that readers of another version can decode them. Follows Confluent's registry: a schema
 * has an id, and a subject has versions.
 */
export interface SchemaRegistry {
  /**
   * Returns the schema's id under the subject; a known schema keeps its id. Rejects with `conflict` when a reader with
   * this schema could not read what earlier versions wrote, and with `invalid_input` for an invalid schema or one
   * without a name (clients of Confluent's registry accept only named types).
   */
  register(subject: string, schema: AvroSchema): Promise<number>
  /** The ids of all versions of a subject; empty for an unknown subject. */
  idsOf(subject: string): Promise<readonly number[]>
  /** Rejects with `not_found` for an unknown id. */
  schemaById(id: number): Promise<AvroSchema>
}

/** A partition's unread records: from `first` up to, not including, `next`. */
export interface PartitionContents extends TopicPartition {
  /** The oldest record that a group has not committed; without groups, the oldest record. */
  readonly first: Offset
  /** The offset of the next record. */
  readonly next: Offset
}

/** A group's position on a partition. Without metadata it is where the group began to read, before its first commit. */
export interface GroupPlace extends TopicPartition {
  readonly group: string
  readonly offset: Offset
  readonly metadata: string | null
}

/** A version of a subject under the id that records refer to. */
export interface StoredSchema {
  readonly id: number
  readonly subject: string
  readonly schema: AvroSchema
}

/**
 * The whole contents of a log that no program uses, for a move to another log. Both adapters implement it. Offsets stay
 * the same.
 */
export interface LogContents {
  topics(): Promise<readonly TopicDefinition[]>
  partitions(): Promise<readonly PartitionContents[]>
  places(): Promise<readonly GroupPlace[]>
  /** The versions of each subject, oldest first. */
  schemas(): Promise<readonly StoredSchema[]>
  /** Records from `offset` on, about `maxBytes` of them at most; empty at the end. */
  read(partition: TopicPartition, offset: Offset, maxBytes: number): Promise<readonly StoredRecord[]>

  /** Creates missing topics. Rejects with `conflict` where a topic has another number of partitions. */
  makeTopics(topics: readonly TopicDefinition[]): Promise<void>
  /** Stores the schemas. Returns their ids in this log by their ids in the other. */
  keepSchemas(schemas: readonly StoredSchema[]): Promise<ReadonlyMap<number, number>>
  /** Makes an empty partition's next record get the offset `to`. May be repeated after an interruption. */
  advance(partition: TopicPartition, to: Offset): Promise<void>
  /** Adds records at the end of their partition. */
  add(partition: TopicPartition, records: readonly StoredRecord[]): Promise<void>
  setPlaces(places: readonly GroupPlace[]): Promise<void>
  close(): Promise<void>
}
