import type { Database } from '../../infra/postgres/port.ts'
import { arrivingImports, countArrived } from '../../model/transfers/arrivals.ts'
import type { TransferId } from '../../schemas/domain/ids.ts'
import { type Polling, startPolling } from '../framework/poll.ts'
import type { Observer } from '../framework/step.ts'
import { inWorkspace } from './in-workspace.ts'

const EVERY_MS = 2000
/**
 * Pause between two counts of an import, in durations of a count: 31,000 rows take the embedded database 0.3 to 0.7 s,
 * which the signals on their way need.
 */
const PAUSES = 9

export interface FollowingOptions {
  readonly database: Database
  readonly observer: Observer
  /** How often to look, in milliseconds. */
  readonly intervalMs?: number
}

/**
 * Counts how many signals of each import are through the pipeline, until all of them are: an import has sent them long
 * before. The look for imports is one by an index, which has none of those that have arrived.
 */
export const startFollowingImports = ({ database, observer, intervalMs = EVERY_MS }: FollowingOptions): Polling => {
  /** When each import is due to be counted again, as of `performance.now()`. */
  let due = new Map<TransferId, number>()
  const work = async (): Promise<boolean> => {
    const arriving = await database.transaction({ role: 'assay_accounts' }, arrivingImports)
    due = new Map(arriving.map(({ id }) => [id, due.get(id) ?? 0]))
    for (const transfer of arriving) {
      const begun = performance.now()
      if (begun < (due.get(transfer.id) ?? 0)) continue
      const inside = inWorkspace({ database }, transfer.workspace_id)
      await inside(transaction => countArrived(transaction, transfer))
      const ended = performance.now()
      due.set(transfer.id, ended + (ended - begun) * PAUSES)
    }
    return false
  }
  return startPolling({ what: 'Following imports', work, intervalMs, observer })
}
