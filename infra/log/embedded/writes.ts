import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { AssayError, isAssayError, storageReason } from '../../runtime/errors.ts'
import { timerMs } from '../../runtime/timers.ts'
import { AUTOMATIC_CHECKPOINT_PAGES } from './database.ts'

interface Write {
  /**
   * An AssayError refuses this write alone, and must be thrown before any change. Any other error rolls the transaction
   * back.
   */
  readonly apply: () => void
  readonly done: () => void
  readonly failed: (error: AssayError) => void
}

interface WritesOptions {
  readonly database: DatabaseSync
  /** Called after a commit, before the writers are answered. Its errors are reported. */
  readonly stored?: () => void
  /** Called after a rollback. */
  readonly undone: () => void
  /** Gets the cause of a failure, which clients do not see. */
  readonly report: (error: unknown) => void
  /** Called with the reason when the disk begins to refuse writes, and with null when it accepts writes again. */
  readonly onRefusal: (reason: string | null) => void
  /** True when the disk has room for more than the next write. Called only after a refusal. */
  readonly hasRoom: () => boolean
}

const refusal = (reason: string, cause?: unknown): AssayError =>
  new AssayError('unavailable', `The log cannot store anything: ${reason}.`, { cause })

/**
 * Group commit: writes that arrive while the thread is busy share a transaction, and thus one flush of the disk. A
 * write is
 * - waiting: from `write` until the next turn of the event loop, or until `release` during a hold;
 * - applied: its change ran inside the shared transaction. An AssayError of the change fails this write alone;
 * - done or failed: after the commit. When the shared transaction breaks, each of its writes runs again alone, and only
 *   the writes that break their own transaction fail.
 *
 * The disk is either accepting (`refused` is null) or refusing. A failed write with a storage error starts the refusal,
 * and a commit while the disk has room ends it.
 *
 * @example const id = await writes.write(() => Number(insert.get(name)?.id))
 */
export const createWrites = ({ database, stored, undone, report, onRefusal, hasRoom }: WritesOptions) => {
  let waiting: Write[] = []
  /** Why the disk refused the last write; null when it accepted. */
  let refused: string | null = null
  /** The timer that ends a hold. Writes wait while it is set. */
  let held: NodeJS.Timeout | null = null
  /** True when the work after the last commit failed. A failing disk fails each time, and is reported once. */
  let hasFailedAfter = false

  const noteRefusal = (reason: string | null): void => {
    if (reason !== refused) onRefusal(reason)
    refused = reason
  }

  const noteRoom = (): void => {
    if (refused !== null && hasRoom()) noteRefusal(null)
  }

  /** Never throws: the caller would take the error for a failed transaction and store everything again. */
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
      // One write broke the shared transaction. Each write runs alone to find out which.
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
    /** Resolves with the result of `change` once it is on the disk. */
    write,
    /** Rejects with `unavailable` while the disk refuses writes. Does nothing unless the last write was refused. */
    async assertStoring(): Promise<void> {
      if (refused === null) return
      // Writes a page without changing anything: the version number in the file's header.
      await write(() => database.exec('pragma user_version = 0'))
      if (refused !== null) throw refusal(refused)
    },
    /** Stores what is waiting, then nothing until `release` or until `limitMs` have passed. */
    hold(limitMs: number): void {
      if (waiting.length > 0) flush()
      if (held !== null) clearTimeout(held)
      held = setTimeout(release, timerMs(limitMs))
    },
    /** True when the hold lasted until now. */
    release,
    /** Stores all waiting writes now. */
    flush(): void {
      release()
      if (waiting.length > 0) flush()
    },
  }
}

/** Limit of a hold, ms: a copier that dies must not stop the log. */
const LONGEST_HOLD_MS = 10_000

interface CopyOptions {
  readonly database: DatabaseSync
  readonly directory: string
  readonly writes: Pick<ReturnType<typeof createWrites>, 'hold' | 'release'>
  /** Number of records ever accepted. */
  readonly records: () => number
}

/**
 * The calls for copying the log's files during use. Without checkpoints SQLite only appends to the write-ahead log. The
 * database file and the first bytes of the write-ahead log then stay the log as of `copy_hold`, whenever they are read.
 *
 * States: idle; after `copy_begin` copied (no checkpoints); after `copy_hold` held (no writes) until `copy_release` or
 * 10 s; `copy_end` returns to idle from both.
 */
export const createCopy = ({ database, directory, writes, records }: CopyOptions) => {
  let isCopied = false
  const emptyWriteAheadLog = () => database.exec('pragma wal_checkpoint(truncate)')

  return {
    calls: {
      copy_begin: () => {
        isCopied = true
        database.exec('pragma wal_autocheckpoint = 0')
        // In a used write-ahead log, new frames would overwrite old ones, and its length would say nothing.
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
    /** Moves the write-ahead log into the file and empties it. Throws `unavailable` during a copy. */
    settle(): void {
      if (isCopied) throw new AssayError('unavailable', 'The log is being copied. Do it again when the copy is made.')
      emptyWriteAheadLog()
    },
  }
}
