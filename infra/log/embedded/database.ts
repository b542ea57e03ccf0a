import { closeSync, constants, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { counted } from '../../../schemas/domain/for-people.ts'
import { AssayError, isAssayError, storageError } from '../../runtime/errors.ts'

/**
 * `records` has a rowid, so that rows of all partitions are added at the end of the tree and large values stay out of
 * the index that reads use. `partitions.next_offset` outlives the records, so that offsets never restart. A row of
 * `commits` with null metadata is where a group began to read, before its first commit.
 */
const SCHEMA = `
create table if not exists topics (
  id integer primary key, name text not null unique, retention_ms integer not null
) strict;
create table if not exists partitions (
  id integer primary key, topic_id integer not null references topics, partition integer not null,
  next_offset integer not null default 0, unique (topic_id, partition)
) strict;
create table if not exists records (
  partition_id integer not null, offset integer not null, timestamp integer not null,
  key text, headers text not null, value blob not null, unique (partition_id, offset)
) strict;
create table if not exists commits (
  group_name text not null, partition_id integer not null references partitions, offset integer not null, metadata text,
  primary key (group_name, partition_id)
) strict, without rowid;
create table if not exists readers (
  group_name text not null, topic_id integer not null references topics, seen_at integer not null,
  primary key (group_name, topic_id)
) strict, without rowid;
create table if not exists schemas (
  id integer primary key, subject text not null, version integer not null, schema text not null, unique (subject, version)
) strict;
create table if not exists clock (id integer primary key check (id = 1), alive_at integer not null) strict;
`

/** Pages of 4 KiB in the write-ahead log after which SQLite copies them into the file. */
export const AUTOMATIC_CHECKPOINT_PAGES = 4000

/** Larger files are not checked at the start: the check takes 0.7 ms of CPU for each MB. */
const CHECKED_BYTES = 256 * 1024 * 1024

/** Checks the file's structure, so that nothing is added to a torn file. Throws `damaged`. */
const assertSound = (database: DatabaseSync, file: string): void => {
  if (statSync(file).size > CHECKED_BYTES) return
  const [first] = database.prepare('pragma quick_check(1)').all()
  if (first?.quick_check === 'ok') return
  throw storageError(new Error(String(first?.quick_check)), file)
}

/**
 * Opens the log's file, and creates it where there is none. Throws `already_running` when another process holds the
 * file, and `damaged` when it cannot be used. A commit is on the disk when it returns (`synchronous = full`). Deleted
 * records are overwritten, since they may hold personal data.
 */
export const openDatabase = (directory: string): DatabaseSync => {
  const file = join(directory, 'log.sqlite')
  let database: DatabaseSync | null = null
  try {
    database = new DatabaseSync(file)
    database.exec(`
      pragma locking_mode = exclusive;
      pragma auto_vacuum = incremental;
      pragma journal_mode = wal;
      pragma synchronous = full;
      pragma secure_delete = on;
      pragma wal_autocheckpoint = ${AUTOMATIC_CHECKPOINT_PAGES};
    `)
    assertSound(database, file)
    database.exec(`begin immediate; ${SCHEMA} commit;`)
    return database
  } catch (error) {
    database?.close()
    if (isLocked(error)) {
      throw new AssayError(
        'already_running',
        'The log is in use by another process. Stop it, or choose another directory.',
      )
    }
    throw isAssayError(error) ? error : storageError(error, file)
  }
}

/** SQLITE_BUSY, https://www.sqlite.org/rescode.html#busy */
const isLocked = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === 5

const MARK_FILE = 'accepted'

const markText = (total: number): string => {
  const digits = String(total).padStart(16, '0')
  return `${digits} ${crc32(digits).toString(16).padStart(8, '0')}\n`
}

/** Null when the file is missing or its checksum is wrong. */
const readMark = (file: string): number | null => {
  try {
    const text = readFileSync(file, 'utf8')
    const total = Number(text.slice(0, 16))
    return text === markText(total) ? total : null
  } catch {
    return null
  }
}

/**
 * A file beside the log with the number of records ever accepted, written after each commit. SQLite takes a torn or
 * missing write-ahead log for the end of the data; the mark shows that records are lost. The mark is not flushed: after
 * a power cut it may be behind the log, never ahead.
 *
 * `total` is the number of records that the log's file knows. Throws `damaged` when the mark is higher.
 */
export const openAcceptedMark = (directory: string, total: number) => {
  const file = join(directory, MARK_FILE)
  const marked = readMark(file)
  if (marked !== null && marked > total) {
    throw new AssayError(
      'damaged',
      `The log in ${directory} lacks ${counted(marked - total, 'record')} that it had accepted: log.sqlite or log.sqlite-wal is torn, missing or an older one. ` +
        `Restore the whole data directory from a backup. To go on without these records, remove ${file}.`,
    )
  }
  const descriptor = openSync(file, constants.O_CREAT | constants.O_WRONLY, 0o600)
  let last = -1
  const note = (now: number): void => {
    if (now === last) return
    writeSync(descriptor, markText(now), 0)
    last = now
  }
  note(total)
  return { note, close: () => closeSync(descriptor) }
}
