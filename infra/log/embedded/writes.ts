import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { AssayError, isAssayError, storageReason } from '../../runtime/errors.ts'
import { timerMs } from '../../runtime/timers.ts'
import { AUTOMATIC_CHECKPOINT_PAGES } from './database.ts'

interface Write {
  /** Refuses with an AssayError before it changes anything; any other throw undoes the transaction. */
  readonly apply: () => void
  readonly done: () => void
  readonly failed: (error: AssayError) => void
}

interface WritesOptions {
  readonly database: DatabaseSync
  /** Called after a transaction is on the disk, before anybody hears of it. What it throws is reported. */
  readonly stored?: () => void
  /** Called after a transaction was rolled back. */
  readonly undone: () => void
  /** Gets the cause of a failure, which clients are not told. */
  readonly report: (error: unknown) => void
  /** Called when the disk begins to take nothing, with the reason, and with null when it takes something again. */
  readonly onRefusal: (reason: string | null) => void
  /** Whether the disk has room for more than the next write. Asked only after it took nothing. */
  readonly hasRoom: () => boolean
}

const refusal = (reason: string, cause?: unknown): AssayError =>
  new AssayError('unavailable', `The log cannot store anything: ${reason}.`, { cause })

/**
 * Group commit: whatever arrives while the thread is busy shares the next transaction, and so one flush of the disk.
 */
export const createWrites = ({ database, stored, undone, report, onRefusal, hasRoom }: WritesOptions) => {
  let waiting: Write[] = []
  /** Why the disk took nothing when it was last asked to; null when it did. */
  let refused: string | null = null
  /** While it is set, what comes waits; when it ends, it goes on in any case. */
  let held: NodeJS.Timeout | null = null
  /** Whether what follows a commit failed the last time: a disk that fails does so each time, and it is said once. */
  let hasFailedAfter = false

  const noteRefusal = (reason: string | null): void => {
    if (reason !== refused) onRefusal(reason)
    refused = reason
  }

  const noteRoom = (): void => {
    if (refused !== null && hasRoom()) noteRefusal(null)
  }

  /** Throws nothing: whoever took that for a failed transaction would store all of it once more. */
  const afterCommit = (): void => {
    const failures: unknown[] = []
    for (const work of [() => stored?.(), noteRoom]) {
      try {
        work()
      } catch (error) {
        failures.push(error)
      }
    }
    if (!hasFailedAfter) failures.forEach(report)
    hasFailedAfter = failures.length > 0
  }

  const inTransaction = (writes: readonly Write[]): void => {
    const outcomes: (() => void)[] = []
    database.exec('begin immediate')
    try {
      for (const write of writes) {
        try {
          write.apply()
          outcomes.push(write.done)
        } catch (error) {
          if (!isAssayError(error)) throw error
          outcomes.push(() => write.failed(error))
        }
      }
      database.exec('commit')
    } catch (error) {
      if (database.isTransaction) database.exec('rollback')
      undone()
      throw error
    }
    afterCommit()
    for (const settle of outcomes) settle()
  }

  const alone = (write: Write): void => {
    try {
      inTransaction([write])
    } catch (error) {
      const reason = storageReason(error)
      if (reason === undefined) report(error)
      else noteRefusal(reason)
      write.failed(
        reason === undefined
          ? new AssayError('unavailable', 'The log could not store this.', { cause: error })
          : refusal(reason, error),
      )
    }
  }

  const flush = (): void => {
    const writes = waiting
    waiting = []
    try {
      inTransaction(writes)
    } catch {
      // One of them broke the transaction of all: each gets one of its own, which shows whose fault it was.
      writes.forEach(alone)
    }
  }

  const release = (): boolean => {
    if (held === null) return false
    clearTimeout(held)
    held = null
    if (waiting.length > 0) flush()
    return true
  }

  const write = <T>(change: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      let result: T
      const apply = (): void => {
        result = change()
      }
      waiting.push({ apply, done: () => resolve(result), failed: reject })
      if (waiting.length === 1) setImmediate(() => held === null && waiting.length > 0 && flush())
    })

  return {
    /** Resolves with what `change` returned once it is on the disk. */
    write,
    /** Rejects with `unavailable` while the disk takes nothing. Costs nothing unless the last write was refused. */
    async assertStoring(): Promise<void> {
      if (refused === null) return
      // Of the file's own header: a page that has to be written, and means nothing.
      await write(() => database.exec('pragma user_version = 0'))
      if (refused !== null) throw refusal(refused)
    },
    /**
     * From here on nothing is stored until `release`, or until so many milliseconds have passed. What was begun is
     * stored first.
     */
    hold(limitMs: number): void {
      if (waiting.length > 0) flush()
      if (held !== null) clearTimeout(held)
      held = setTimeout(release, timerMs(limitMs))
    },
    /** Whether it was held until now. */
    release,
    /** Stores what is waiting right now. */
    flush(): void {
      release()
      if (waiting.length > 0) flush()
    },
  }
}

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
 * The calls by which somebody copies the log's files while it is used. Without checkpoints SQLite only adds to its
 * write-ahead log: the database file and the first bytes of the other one are then the log as it was at one moment,
 * whenever they are read.
 */
export const createCopy = ({ database, directory, writes, records }: CopyOptions) => {
  let isCopied = false
  const emptyWriteAheadLog = () => database.exec('pragma wal_checkpoint(truncate)')

  return {
    calls: {
      copy_begin: () => {
        isCopied = true
        database.exec('pragma wal_autocheckpoint = 0')
        // An emptied one: otherwise new frames would be written over old ones, and its length would say nothing.
        emptyWriteAheadLog()
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
        isCopied = false
        database.exec(`pragma wal_autocheckpoint = ${AUTOMATIC_CHECKPOINT_PAGES}`)
        return null
      },
    },
    /** Works the write-ahead log into the file and empties it. Throws `unavailable` while somebody copies both. */
    settle(): void {
      if (isCopied) throw new AssayError('unavailable', 'The log is being copied. Do it again when the copy is made.')
      emptyWriteAheadLog()
    },
  }
}
