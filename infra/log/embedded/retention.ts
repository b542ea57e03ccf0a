import type { DatabaseSync } from 'node:sqlite'
import { DAY_MS } from '../../../schemas/domain/durations.ts'
import type { Offset } from '../port.ts'
import type { Catalogue, Partition } from './catalogue.ts'
import type { Groups } from './groups.ts'

/** A group without a reader for this time no longer keeps records from removal. */
const FORGOTTEN_AFTER_MS = 7 * DAY_MS
/** Records removed in one transaction; the thread serves clients in between. */
const CHUNK = 1000
/** Pages of 4 KiB given back to the file system in a sweep. The rest stays, since new records soon need it. */
const PAGES = 4000

interface RetentionOptions {
  readonly database: DatabaseSync
  readonly catalogue: Catalogue
  readonly groups: Pick<Groups, 'reading'>
  readonly write: <T>(change: () => T) => Promise<T>
}

/**
 * Removes records that are older than their topic's retention, once every group that reads the topic has committed past
 * them.
 */
export const createRetention = ({ database, catalogue, groups, write }: RetentionOptions) => {
  const seen = database.prepare('update readers set seen_at = ? where group_name = ? and topic_id = ?')
  const setAlive = database.prepare(
    'insert into clock (id, alive_at) values (1, ?) on conflict (id) do update set alive_at = excluded.alive_at',
  )
  const getAlive = database.prepare('select alive_at from clock')
  const shiftSeen = database.prepare('update readers set seen_at = seen_at + ?')
  const furthestBehind = database.prepare(
    `select min(c.offset) as offset from readers r join commits c on c.group_name = r.group_name
     where r.topic_id = ? and r.seen_at >= ? and c.partition_id = ?`,
  )
  const oldest = database.prepare(
    'select offset, timestamp from records where partition_id = ? and offset < ? order by offset limit ?',
  )
  const remove = database.prepare('delete from records where partition_id = ? and offset <= ?')

  /** Time in which the log was not running does not age a group: readers need time to start again. */
  const resume = (now: number): void => {
    const aliveAt = getAlive.get()?.alive_at
    if (typeof aliveAt === 'number' && aliveAt < now) shiftSeen.run(now - aliveAt)
    setAlive.run(now)
  }

  const noteReaders = (now: number): void => {
    setAlive.run(now)
    for (const { group, topics } of groups.reading()) {
      for (const name of topics) seen.run(now, group, catalogue.topic(name).id)
    }
  }

  const lastToRemove = (partition: Partition, takenUpTo: number | null): Offset | null => {
    const topic = catalogue.topic(partition.topic)
    const now = Date.now()
    const floor = furthestBehind.get(topic.id, now - FORGOTTEN_AFTER_MS, partition.id)?.offset
    const before = typeof floor === 'number' ? floor : partition.nextOffset
    let last: Offset | null = null
    for (const row of oldest.all(partition.id, before, CHUNK)) {
      if (Number(row.timestamp) > (takenUpTo ?? now - topic.retentionMs)) break
      last = Number(row.offset)
    }
    return last
  }

  /** Checks for each chunk, in the transaction that removes it: a group or another retention may have come since. */
  const removeChunk = (partition: Partition, takenUpTo: number | null): boolean => {
    const last = lastToRemove(partition, takenUpTo)
    if (last !== null) remove.run(partition.id, last)
    return last !== null
  }

  /** Removes committed records that were appended up to `takenUpTo`; with null, by each topic's retention. */
  const removeWorkedOff = async (takenUpTo: number | null): Promise<boolean> => {
    let removed = false
    for (const topic of catalogue.topics()) {
      for (const partition of topic.partitions) {
        while (await write(() => removeChunk(partition, takenUpTo))) removed = true
      }
    }
    return removed
  }

  return {
    start: (): Promise<void> => write(() => resume(Date.now())),

    async sweep(): Promise<void> {
      await write(() => noteReaders(Date.now()))
      if (await removeWorkedOff(null)) database.exec(`pragma incremental_vacuum(${PAGES})`)
    },

    /** As in the protocol: removes records up to a time, whatever the topic's retention. */
    async forget(takenUpTo: number): Promise<void> {
      await write(() => noteReaders(Date.now()))
      await removeWorkedOff(takenUpTo)
    },
  }
}
