import { logged } from '../infra/runtime/errors.ts'
import type { Logger } from '../infra/runtime/logger.ts'
import { deleteExpiredAnswers } from '../model/idempotency/stored-answers.ts'
import { deleteOldChanges } from '../model/undo/changes.ts'
import { emptyDeletedWorkspaces, type WorkspaceStores } from '../model/workspaces/lifecycle.ts'
import { HOUR_MS } from '../schemas/domain/durations.ts'

interface Options extends WorkspaceStores {
  readonly now: () => Date
  readonly log: Pick<Logger, 'warn'>
}

/**
 * Deletes expired data every hour: stored answers for repeated requests, changes too old to undo, and data of deleted
 * accounts. Without it a quiet workspace would keep its last ones. Answers a function that stops it.
 */
export const cleanUpHourly = ({ now, log, ...stores }: Options): (() => void) => {
  const timer = setInterval(() => {
    Promise.all([deleteExpiredAnswers(stores.database), deleteOldChanges(stores.database, now())]).catch(error =>
      log.warn(logged(error), 'Expired answers and changes could not be deleted yet; the next hour tries again.'),
    )
    emptyDeletedWorkspaces(stores).catch(error =>
      log.warn(logged(error), 'A deleted workspace could not be emptied yet; the next hour tries again.'),
    )
  }, HOUR_MS)
  timer.unref()
  return () => clearInterval(timer)
}
