import type { Database } from '../../../infra/postgres/port.ts'
import type { Logger } from '../../../infra/runtime/logger.ts'
import { recordActivity } from '../../../model/activity/activity-rows.ts'
import type { ActivityRecord } from '../../../schemas/events/activity.ts'

/** Takes the activity of calls without a transaction: reads and failed writes. */
export interface ActivityBuffer {
  add(record: ActivityRecord): void
  /** Writes the held activity. Called after the last `add`. */
  close(): Promise<void>
}

const FLUSH_AFTER_MS = 200
const MAX_HELD = 10_000

/**
 * Holds activity for a moment and writes many rows in one transaction, so that a read does not wait for its own write.
 * Rows that the database refuses are kept and tried again. A kill loses at most the last moment's rows; above 10,000
 * rows while the database is away the oldest are dropped and counted in the log.
 */
export const createActivityBuffer = (database: Database, log: Pick<Logger, 'warn'>): ActivityBuffer => {
  let buffered: ActivityRecord[] = []
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()
  let isClosed = false

  const write = async (): Promise<void> => {
    const batch = buffered
    buffered = []
    if (batch.length === 0) return
    const workspaceIds = [...new Set(batch.map(record => record.workspace_id))]
    try {
      await database.transaction({ role: 'assay_pipeline', workspaceIds, isDivisible: true }, transaction =>
        recordActivity(transaction, batch),
      )
    } catch (error) {
      buffered = [...batch, ...buffered]
      log.warn(
        { err: error, buffered: buffered.length },
        'Activity of calls could not be written yet; it is kept for later.',
      )
    }
  }

  const flush = (): Promise<void> => {
    timer = null
    writing = writing.then(write).then(() => {
      if (buffered.length > 0) schedule()
    })
    return writing
  }
  const schedule = () => {
    // After the database is closed a write would fail for ever and keep the process alive.
    if (!isClosed) timer ??= setTimeout(flush, FLUSH_AFTER_MS)
  }

  return {
    add: record => {
      buffered.push(record)
      if (buffered.length > MAX_HELD) {
        const dropped = buffered.splice(0, buffered.length - MAX_HELD)
        log.warn({ dropped: dropped.length }, 'Activity of calls was dropped: too much is waiting for the database.')
      }
      schedule()
    },
    close: async () => {
      isClosed = true
      if (timer) clearTimeout(timer)
      await flush()
    },
  }
}
