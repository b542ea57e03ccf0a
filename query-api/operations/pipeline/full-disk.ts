import type { Database } from '../../../infra/postgres/port.ts'
import { type AssayError, codeOf, isAssayError } from '../../../infra/runtime/errors.ts'

/** disk_full (PostgreSQL manual, appendix A). */
const DISK_FULL = '53100'

interface WatchedDisk {
  /** The same database, of which it is noticed that its disk is full. */
  readonly database: Database
  /** Of what always writes: that it could is noticed. */
  readonly writing: (database: Database) => Database
  /** Rejects while the disk is full. */
  readonly assertRoom: () => Promise<void>
}

/** Watches for a database whose disk is full: it can still be read, so that no question shows it. */
export const watchFullDisk = (watched: Database): WatchedDisk => {
  let full: AssayError | null = null
  return {
    database: {
      ...watched,
      transaction: async (scope, work) => {
        try {
          return await watched.transaction(scope, work)
        } catch (error) {
          if (isAssayError(error) && codeOf(error.cause) === DISK_FULL) full = error
          throw error
        }
      },
    },
    writing: database => ({
      ...database,
      transaction: async (scope, work) => {
        const result = await database.transaction(scope, work)
        full = null
        return result
      },
    }),
    assertRoom: async () => {
      if (full !== null) throw full
    },
  }
}
