import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { Database } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { deleteActivity } from '../sandbox/empty-sandbox.ts'

/** In parts, so that nobody else waits long for the database. */
const MAX_AT_ONCE = 500

const DELETED = `select id from workspaces where deleted_at is not null and purged_at is null order by deleted_at, id`
const EMPTY = `select purge_deleted_workspace($1) as removed`
// What came in before it was closed can be on its way for as long as the log keeps it.
const DONE = `
  update workspaces set purged_at = now()
  where id = $1 and deleted_at < now() - interval '7 days' and purged_at is null`

export interface WorkspaceStores {
  readonly database: Database
  readonly analytics: Analytics
}

/** Removes everything that one deleted workspace holds, in both stores. Answers how many rows of the database. */
const emptyWorkspace = async ({ database, analytics }: WorkspaceStores, workspaceId: WorkspaceId): Promise<number> => {
  let all = 0
  for (let removed = 1; removed > 0; all += removed) {
    const [row] = await database.transaction({ role: 'assay_sandbox', workspaceId }, transaction =>
      transaction.query<{ removed: number }>(EMPTY, [MAX_AT_ONCE]),
    )
    removed = row?.removed ?? 0
  }
  await deleteActivity(analytics, workspaceId)
  await database.transaction({ role: 'assay_accounts' }, transaction => transaction.query(DONE, [workspaceId]))
  return all
}

/** Empties every workspace that went with an account; answers how many rows that were. Done again, it changes nothing. */
export const emptyDeletedWorkspaces = async (stores: WorkspaceStores): Promise<number> => {
  const deleted = await stores.database.transaction({ role: 'assay_accounts' }, transaction =>
    transaction.query<{ id: WorkspaceId }>(DELETED),
  )
  let removed = 0
  for (const { id } of deleted) removed += await emptyWorkspace(stores, id)
  return removed
}
