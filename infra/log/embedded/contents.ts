import type { DatabaseSync } from 'node:sqlite'
import { counted } from '../../../schemas/domain/for-people.ts'
import { AssayError } from '../../runtime/errors.ts'
import type { GroupPlace, LogContents, PartitionContents, StoredRecord, StoredSchema, TopicPartition } from '../port.ts'
import { createCatalogue } from './catalogue.ts'
import { openDatabase } from './database.ts'
import { unpackValues } from './protocol.ts'
import { createRecords, EMPTY } from './records.ts'

/** No limit in effect: `maxBytes` bounds a read. */
const MAX_RECORDS = 10_000

const inTransaction = <T>(database: DatabaseSync, work: () => T): T => {
  database.exec('begin immediate')
  try {
    const result = work()
    database.exec('commit')
    return result
  } catch (error) {
    database.exec('rollback')
    throw error
  }
}

/** The contents of the file of a log that is not running. Rejects as `openDatabase` does. */
export const openEmbeddedContents = (directory: string): LogContents => {
  const database = openDatabase(directory)
  const catalogue = createCatalogue(database)
  const records = createRecords(database, catalogue)
  const places = database.prepare(
    `select c.group_name as "group", t.name as topic, p.partition, c.offset, c.metadata
     from commits c join partitions p on p.id = c.partition_id join topics t on t.id = p.topic_id
     order by c.group_name, t.name, p.partition`,
  )
  const lowest = database.prepare('select min(offset) as offset from commits where partition_id = ?')
  const schemas = database.prepare('select id, subject, schema from schemas order by id')
  const keepSchema = database.prepare('insert into schemas (id, subject, version, schema) values (?, ?, ?, ?)')
  const setNext = database.prepare('update partitions set next_offset = ? where id = ?')
  const insert = database.prepare(
    'insert into records (partition_id, offset, timestamp, key, headers, value) values (?, ?, ?, ?, ?, ?)',
  )
  const setPlace = database.prepare(
    `insert into commits (group_name, partition_id, offset, metadata) values (?, ?, ?, ?)
     on conflict (group_name, partition_id) do update set offset = excluded.offset, metadata = excluded.metadata`,
  )
  const see = database.prepare(
    'insert into readers (group_name, topic_id, seen_at) values (?, ?, ?) on conflict do nothing',
  )
  const partitionOf = ({ topic, partition }: TopicPartition) => catalogue.partition(topic, partition)

  return {
    topics: async () =>
      catalogue.topics().map(({ name, retentionMs, partitions }) => ({
        name,
        retentionMs,
        partitions: partitions.length,
      })),

    partitions: async () =>
      catalogue
        .topics()
        .flatMap(({ partitions }) => partitions)
        .map((partition): PartitionContents => {
          const oldest = records.firstOffset(partition)
          const waiting = lowest.get(partition.id)?.offset
          const first = typeof waiting === 'number' ? Math.max(waiting, oldest) : oldest
          return { topic: partition.topic, partition: partition.partition, first, next: partition.nextOffset }
        }),

    // node:sqlite does not know the columns; the statement selects those of GroupPlace.
    places: async () => places.all() as unknown as GroupPlace[],

    schemas: async () =>
      schemas.all().map(
        ({ id, subject, schema }): StoredSchema => ({
          id: Number(id),
          subject: String(subject),
          schema: JSON.parse(String(schema)),
        }),
      ),

    async read(place, offset, maxBytes) {
      const { heads, ...packed } = records.read(partitionOf(place), offset, MAX_RECORDS, maxBytes)
      const values = unpackValues(packed)
      return heads.map((head, index): StoredRecord => {
        const { topic, partition } = place
        const value = values[index] ?? EMPTY
        return { ...head, topic, partition, headers: JSON.parse(head.headers), value }
      })
    },

    async makeTopics(topics) {
      for (const { name, partitions } of topics) {
        const known = catalogue.topics().find(topic => topic.name === name)
        if (known !== undefined && known.partitions.length !== partitions)
          throw new AssayError(
            'conflict',
            `The topic ${name} has ${counted(known.partitions.length, 'partition')} here, and ${partitions} there.`,
          )
      }
      inTransaction(database, () => catalogue.ensure(topics))
    },

    // The embedded log can take over ids as they are, so that records stay unchanged.
    keepSchemas: async given =>
      inTransaction(database, () => {
        const versions = new Map<string, number>()
        const kept = new Map(schemas.all().map(row => [Number(row.id), String(row.subject)]))
        for (const { id, subject, schema } of given) {
          const version = (versions.get(subject) ?? 0) + 1
          versions.set(subject, version)
          if (!kept.has(id)) keepSchema.run(id, subject, version, JSON.stringify(schema))
        }
        return new Map(given.map(({ id }) => [id, id]))
      }),

    async advance(place, to) {
      const partition = partitionOf(place)
      if (partition.nextOffset >= to) return
      setNext.run(to, partition.id)
      partition.nextOffset = to
    },

    async add(place, added) {
      const partition = partitionOf(place)
      inTransaction(database, () => {
        for (const { offset, timestamp, key, headers, value } of added)
          insert.run(
            partition.id,
            offset,
            timestamp,
            key,
            JSON.stringify(headers),
            value.byteLength === 0 ? EMPTY : value,
          )
        const next = (added.at(-1)?.offset ?? partition.nextOffset - 1) + 1
        setNext.run(next, partition.id)
        partition.nextOffset = next
      })
    },

    async setPlaces(given) {
      inTransaction(database, () => {
        for (const { group, topic, partition, offset, metadata } of given) {
          setPlace.run(group, catalogue.partition(topic, partition).id, offset, metadata)
          see.run(group, catalogue.topic(topic).id, Date.now())
        }
      })
    },

    close: async () => database.close(),
  }
}
