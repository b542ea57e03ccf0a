import type { AvroSchema } from '../../schemas/events/avro.ts'

/**
 * The log: named topics cut into partitions, each an ordered sequence of records that consumer groups read by offset.
 * Two adapters implement it, `embedded/` (SQLite) and `kafka/`; `conformance/` is the suite that both must pass.
 */

/** A position in a partition: dense enough to count with, never reused. Starts at 0. */
export type Offset = number

export interface TopicDefinition {
  readonly name: string
  readonly partitions: number
  /** Records older than this may be removed, once every group that reads the topic has committed past them. */
  readonly retentionMs: number
}

export interface OutgoingRecord {
  readonly topic: string
  /** Records of one key keep their order: they share a partition. Null spreads the records. */
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

/** What a group has committed for a partition: the next offset to read, and a note that travels with it. */
export interface Commit {
  readonly offset: Offset
  readonly metadata: string
}

export interface Batch extends TopicPartition {
  /** In offset order, never empty. */
  readonly records: readonly StoredRecord[]
  /**
   * What the group had last committed here, read when the partition was taken or last committed; null before the first.
   */
  readonly committed: Commit | null
  /** The offset after the newest record of the partition; `highWatermark - next` is the lag. */
  readonly highWatermark: Offset
}

export interface BatchContext {
  /** Aborted when the partition is taken away or the consumer stops: finish quickly or give up. */
  readonly signal: AbortSignal
  /**
   * Commits for the batch's partition. Called after the effects of every record below `offset` are durable.
   * Rejects with code `partition_lost` when another member of the group has the partition by now.
   */
  commit(offset: Offset, metadata?: string): Promise<void>
  /** Tells the group that a long batch is still being worked on. */
  heartbeat(): Promise<void>
  /** The `completion` of the partition's batch before this one: what must not overtake it waits for it. */
  readonly before: Promise<void>
}

/** Where reading goes on from in the batch's partition. A `pauseMs` keeps the partition quiet for that long first. */
export interface Continuation {
  readonly next: Offset
  readonly pauseMs?: number
  /**
   * What of the batch is under way still. The next batch is handled meanwhile, and the one after that not before it is
   * through. When it rejects, that counts as a throw: batches are delivered again from the last commit.
   */
  readonly completion?: Promise<void>
}

export interface ConsumeOptions {
  readonly group: string
  readonly topics: readonly string[]
  /** At most this many records a batch. */
  readonly maxRecords: number
  /** At most this many bytes of values a batch, though always at least one record. Default 8 MiB. */
  readonly maxBytes?: number
  /** Where a group without a commit begins. Default `earliest`. */
  readonly from?: 'earliest' | 'latest'
  /**
   * Called with one batch of a partition at a time; different partitions may run at once. Reading goes on where the
   * result says. A throw is logged, and the batch is delivered again from the last commit after a pause that grows.
   */
  readonly onBatch: (batch: Batch, context: BatchContext) => Promise<Continuation>
}

export interface Consumer {
  assignment(): readonly TopicPartition[]
  /** The next batch of the partition begins at `offset`. Only for a partition that is assigned here. */
  seek(partition: TopicPartition, offset: Offset): Promise<void>
  /** Gives the handlers under way their time to finish, then gives the partitions up. */
  stop(): Promise<void>
}

export interface GroupPartition extends TopicPartition {
  readonly group: string
  readonly committed: Offset
  readonly highWatermark: Offset
  /**
   * When the oldest record that is not committed was taken by the log, milliseconds since the epoch; null without lag.
   */
  readonly oldestUncommittedAt: number | null
}

export interface Log {
  /**
   * Creates the topics that are missing. A topic that exists keeps its partitions; its retention follows the
   * definition.
   */
  ensureTopics(topics: readonly TopicDefinition[]): Promise<void>
  /** The names of the topics that there are, those of other programs too where the brokers have some. */
  topics(): Promise<readonly string[]>
  /** Resolves once every record is durable; rejects, with none or some of them stored, when the log cannot say so. */
  append(records: readonly OutgoingRecord[]): Promise<void>
  consume(options: ConsumeOptions): Promise<Consumer>
  /** A group's place on each partition of the topics it has committed or reads. */
  lag(group: string): Promise<readonly GroupPartition[]>
  /** Resolves when the log answers; rejects with code `unavailable` when it does not. */
  ping(): Promise<void>
  close(): Promise<void>
}

/**
 * Where the schemas of records are kept, so that a reader of another version understands them. Follows the model of
 * Confluent's registry: a schema has an id of its own, a subject has versions.
 */
export interface SchemaRegistry {
  /**
   * The id of this schema under the subject; a schema that is there already keeps its id. Rejects with `conflict` when
   * a reader with this schema could not read what earlier versions of the subject wrote; with `invalid_input` for what
   * is no schema, and for one without a name (the clients of Confluent's registry take named types alone).
   */
  register(subject: string, schema: AvroSchema): Promise<number>
  /** The ids of all versions of a subject; none for one that nobody brought. */
  idsOf(subject: string): Promise<readonly number[]>
  /** Rejects with `not_found` for an id that was never given out. */
  schemaById(id: number): Promise<AvroSchema>
}

/** A partition as it stands: what waits in it is from `first` to before `next`. */
export interface PartitionContents extends TopicPartition {
  /** The oldest record that a group has yet to work off, or the oldest at all where nobody reads. */
  readonly first: Offset
  /** What the next record gets. */
  readonly next: Offset
}

/** A group's place on a partition. Without metadata it is where the group began to read, before its first commit. */
export interface GroupPlace extends TopicPartition {
  readonly group: string
  readonly offset: Offset
  readonly metadata: string | null
}

/** A version of a subject under the id that records name it by. */
export interface StoredSchema {
  readonly id: number
  readonly subject: string
  readonly schema: AvroSchema
}

/**
 * A log that nobody reads from or writes to, seen whole: for taking it elsewhere. Both adapters have it, so that either
 * can be read into the other. Offsets are the same on both sides.
 */
export interface LogContents {
  topics(): Promise<readonly TopicDefinition[]>
  partitions(): Promise<readonly PartitionContents[]>
  places(): Promise<readonly GroupPlace[]>
  /** The versions of each subject, the oldest first. */
  schemas(): Promise<readonly StoredSchema[]>
  /** Records from `offset` on, at most about so many bytes of them; none at the end. */
  read(partition: TopicPartition, offset: Offset, maxBytes: number): Promise<readonly StoredRecord[]>

  /** Makes what is missing. Rejects with `conflict` where a topic has another number of partitions. */
  makeTopics(topics: readonly TopicDefinition[]): Promise<void>
  /** Keeps the schemas; answers the id that each has here, by the id that it was given with. */
  keepSchemas(schemas: readonly StoredSchema[]): Promise<ReadonlyMap<number, number>>
  /**
   * Sets an empty partition so that its next record gets this offset, or goes on with that where it was interrupted.
   */
  advance(partition: TopicPartition, to: Offset): Promise<void>
  /** Adds records at the end of their partition. */
  add(partition: TopicPartition, records: readonly StoredRecord[]): Promise<void>
  setPlaces(places: readonly GroupPlace[]): Promise<void>
  close(): Promise<void>
}
