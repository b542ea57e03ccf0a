import { logged } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { emptyDeletedWorkspaces, type WorkspaceStores } from '../../model/workspaces/lifecycle.ts'

const EVERY_MS = 3_600_000

/** Empties every hour what went with deleted accounts. Answers how to stop. */
export const purgeDeletedWorkspacesHourly = ({
  log,
  ...stores
}: WorkspaceStores & { readonly log: Pick<Logger, 'warn'> }) => {
  const timer = setInterval(() => {
    emptyDeletedWorkspaces(stores).catch(error =>
      log.warn(logged(error), 'A deleted workspace could not be emptied yet; the next hour tries again.'),
    )
  }, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
