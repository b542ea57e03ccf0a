import type { Embedder } from '../../infra/models/port.ts'
import type { Database } from '../../infra/postgres/port.ts'
import { WITH_THEMES_TO_FIND } from '../../model/themes/due.ts'
import { placeSignals, WITH_SIGNALS_TO_PLACE } from '../../model/themes/place-signals.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { type Polling, startPolling } from '../framework/poll.ts'
import type { Observer } from '../framework/step.ts'
import { likeliestLanguage } from '../steps/classify/built-in/lexicon.ts'
import { inWorkspace } from './in-workspace.ts'
import { startDue } from './maintenance.ts'
import { pagesOfWorkspaces } from './pages-of-workspaces.ts'

const EVERY_MS = 15_000
const FINDING = { kind: 'find_themes', due: WITH_THEMES_TO_FIND, model: null, startedBy: 'signals that came' } as const

export interface KeepingOptions {
  readonly database: Database
  readonly embedder: Pick<Embedder, 'model'>
  readonly observer: Observer
  /** Poll interval, ms. */
  readonly intervalMs?: number
}

/**
 * Keeps themes current: assigns new signals to the themes that they fit, a page of each workspace in turn, and starts a
 * new computation when enough signals have come.
 */
export const startKeepingThemes = (options: KeepingOptions): Polling => {
  const { database, embedder, observer, intervalMs = EVERY_MS } = options
  const { model } = embedder
  const work = async (): Promise<boolean> => {
    let isMore = false
    for await (const workspaceIds of pagesOfWorkspaces(database)) {
      const due = await database.transaction({ role: 'assay_pipeline', workspaceIds }, async transaction => {
        await startDue(transaction, FINDING, workspaceIds)
        return transaction.query<{ id: WorkspaceId }>(WITH_SIGNALS_TO_PLACE, [workspaceIds, model])
      })
      for (const { id } of due)
        isMore =
          (await inWorkspace(
            { database },
            id,
          )(transaction => placeSignals(transaction, id, model, likeliestLanguage))) || isMore
    }
    return isMore
  }
  return startPolling({ what: 'Keeping themes up', work, intervalMs, observer })
}
