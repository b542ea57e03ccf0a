import type { Database } from '../../../infra/postgres/port.ts'
import { logged } from '../../../infra/runtime/errors.ts'
import type { Logger } from '../../../infra/runtime/logger.ts'
import { deleteExpiredAnswers } from '../../../model/idempotency/stored-answers.ts'
import { deleteOldChanges } from '../../../model/undo/changes.ts'

const EVERY_MS = 3_600_000

/**
 * Deletes every hour what no repetition gets any more, and changes that are too old to be taken back: a workspace that goes quiet would else
 * keep its last ones. Answers how to stop.
 */
export const forgetHourly = (database: Database, now: () => Date, log: Pick<Logger, 'warn'>): (() => void) => {
  const timer = setInterval(() => {
    Promise.all([deleteExpiredAnswers(database), deleteOldChanges(database, now())]).catch(error =>
      log.warn(logged(error), 'Expired answers and changes could not be deleted yet; the next hour tries again.'),
    )
  }, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
