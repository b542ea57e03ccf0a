import type { Database } from '../../../infra/postgres/port.ts'
import { logged } from '../../../infra/runtime/errors.ts'
import type { Logger } from '../../../infra/runtime/logger.ts'

const EVERY_MS = 3_600_000
// In parts, so that no transaction is long.
const FORGET = `
  delete from idempotent_answers
  where ctid = any (array(select ctid from idempotent_answers where created_at <= now() - interval '24 hours' limit 1000))
  returning 1`

/** Deletes the stored answers of every workspace that no repetition gets any more. Answers how many. */
export const deleteExpiredAnswers = async (database: Database): Promise<number> => {
  for (let forgotten = 0; ; ) {
    const rows = await database.transaction({ role: 'assay_accounts' }, transaction => transaction.query(FORGET))
    forgotten += rows.length
    if (rows.length === 0) return forgotten
  }
}

/** Does so every hour: a workspace that goes quiet would else keep its last answers. Answers how to stop. */
export const deleteExpiredAnswersHourly = (database: Database, log: Pick<Logger, 'warn'>): (() => void) => {
  const timer = setInterval(() => {
    deleteExpiredAnswers(database).catch(error =>
      log.warn(logged(error), 'Expired answers could not be deleted yet; the next hour tries again.'),
    )
  }, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
