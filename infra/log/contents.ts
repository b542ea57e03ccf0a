import type { AvroSchema } from '../../schemas/events/avro.ts'
import type { Offset, StoredRecord, TopicDefinition, TopicPartition } from './port.ts'

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
