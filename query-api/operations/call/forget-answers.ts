import type { Database } from '../../../infra/postgres/port.ts'
import { logged } from '../../../infra/runtime/errors.ts'
import type { Logger } from '../../../infra/runtime/logger.ts'
import { deleteExpiredAnswers } from '../../../model/idempotency/stored-answers.ts'

const EVERY_MS = 3_600_000

/** Deletes every hour what no repetition gets any more: a workspace that goes quiet would else keep its last answers. Answers how to stop. */
export const deleteExpiredAnswersHourly = (database: Database, log: Pick<Logger, 'warn'>): (() => void) => {
  const timer = setInterval(() => {
    deleteExpiredAnswers(database).catch(error =>
      log.warn(logged(error), 'Expired answers could not be deleted yet; the next hour tries again.'),
    )
  }, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
