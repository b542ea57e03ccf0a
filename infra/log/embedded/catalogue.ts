import type { DatabaseSync } from 'node:sqlite'
import { AssayError } from '../../runtime/errors.ts'
import { checkTopics, unknownTopic } from '../checks.ts'
import type { Offset, TopicDefinition } from '../port.ts'

export interface Partition {
  readonly id: number
  readonly topic: string
  readonly partition: number
  /** The offset that the next record gets: the high watermark. */
  nextOffset: Offset
}

export interface Topic {
  readonly id: number
  readonly name: string
  readonly retentionMs: number
  readonly partitions: readonly Partition[]
}

export type Catalogue = ReturnType<typeof createCatalogue>

interface Row {
  topic_id: number
  name: string
  retention_ms: number
  id: number
  partition: number
  next_offset: number
}

const EVERY_PARTITION = `
  select t.id topic_id, t.name, t.retention_ms, p.id, p.partition, p.next_offset
  from partitions p join topics t on t.id = p.topic_id order by t.id, p.partition`

/** The topics and partitions of the file, kept in memory. */
export const createCatalogue = (database: DatabaseSync) => {
  const topics = new Map<string, Topic>()
  const partitions = new Map<number, Partition>()
  const addTopic = database.prepare('insert into topics (name, retention_ms) values (?, ?) returning id')
  const addPartition = database.prepare('insert into partitions (topic_id, partition) values (?, ?)')
  const setRetention = database.prepare('update topics set retention_ms = ? where id = ?')
  const everyPartition = database.prepare(EVERY_PARTITION)

  /** A partition keeps its object for ever: other modules hold references to it. */
  const refresh = (row: Row): Partition => {
    const { id, name: topic, partition, next_offset: nextOffset } = row
    const known = partitions.get(id) ?? { id, topic, partition, nextOffset }
    known.nextOffset = nextOffset
    partitions.set(id, known)
    return known
  }

  /** Reads everything again. After a rollback the offsets in memory are ahead of the file. */
  const load = (): void => {
    // node:sqlite does not know the columns; the statement selects those of Row.
    const rows = everyPartition.all() as unknown as Row[]
    topics.clear()
    for (const [name, [first, ...more]] of Map.groupBy(rows, row => row.name)) {
      if (first === undefined) continue
      const partitions = [first, ...more].map(refresh)
      topics.set(name, { id: first.topic_id, name, retentionMs: first.retention_ms, partitions })
    }
  }
  load()

  const topic = (name: string): Topic => {
    const found = topics.get(name)
    if (found === undefined) throw unknownTopic(name)
    return found
  }

  return {
    load,
    topic,
    topics: (): readonly Topic[] => [...topics.values()],
    /** Number of records ever appended. */
    accepted(): number {
      let sum = 0
      for (const { nextOffset } of partitions.values()) sum += nextOffset
      return sum
    },

    partition(name: string, partition: number): Partition {
      const found = topic(name).partitions[partition]
      if (found === undefined) throw new AssayError('not_found', `Topic "${name}" has no partition ${partition}.`)
      return found
    },

    /** Call inside a transaction. */
    ensure(definitions: readonly TopicDefinition[]): void {
      checkTopics(definitions)
      for (const { name, partitions, retentionMs } of definitions) {
        const known = topics.get(name)
        if (known !== undefined) {
          setRetention.run(retentionMs, known.id)
          continue
        }
        const id = addTopic.get(name, retentionMs)?.id ?? null
        for (let partition = 0; partition < partitions; partition++) addPartition.run(id, partition)
      }
      load()
    },
  }
}
