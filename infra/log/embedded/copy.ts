import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { AUTOMATIC_CHECKPOINT_PAGES } from './database.ts'
import type { createWrites } from './writes.ts'

/** A copy that dies in the middle must not stop the log. */
const LONGEST_HOLD_MS = 10_000

interface CopyOptions {
  readonly database: DatabaseSync
  readonly directory: string
  readonly writes: Pick<ReturnType<typeof createWrites>, 'hold' | 'release'>
  /** How many records were ever accepted. */
  readonly records: () => number
}

/**
 * The calls by which somebody copies the log's files while it is used. Without checkpoints SQLite only adds to its write-ahead log: the
 * database file and the first bytes of the other one are then the log as it was at one moment, whenever they are read.
 */
export const createCopy = ({ database, directory, writes, records }: CopyOptions) => ({
  copy_begin: () => {
    // An emptied one: otherwise new frames would be written over old ones, and its length would say nothing.
    database.exec('pragma wal_autocheckpoint = 0; pragma wal_checkpoint(truncate)')
    return null
  },
  copy_hold: () => {
    writes.hold(LONGEST_HOLD_MS)
    const walBytes = statSync(join(directory, 'log.sqlite-wal'), { throwIfNoEntry: false })?.size ?? 0
    return { walBytes, records: records() }
  },
  copy_release: () => writes.release(),
  copy_end: () => {
    writes.release()
    database.exec(`pragma wal_autocheckpoint = ${AUTOMATIC_CHECKPOINT_PAGES}`)
    return null
  },
})
