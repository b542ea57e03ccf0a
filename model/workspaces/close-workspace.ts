import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { Database, Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { deleteActivity } from '../sandbox/empty-sandbox.ts'

// As a workspace is closed that goes with its owner's account (model/accounts/delete-account.ts).
const CLOSE = `
  update workspaces set deleted_at = now(), name = case when sandbox then 'Removed sandbox' else 'Deleted workspace' end,
    slug = 'deleted-' || right(id::text, 12)
  where id = $1 and (sandbox or not $2) and deleted_at is null returning id`
const CLOSE_SOURCES = `
  update sources set deleted_at = now(), changed_at = now() where workspace_id = $1 and deleted_at is null`
const REVOKE = `
  update invitations set revoked_at = now() where workspace_id = $1 and accepted_at is null and revoked_at is null`
const END_MEMBERSHIPS = `delete from members where workspace_id = $1`

/**
 * Closes a sandbox, in a transaction of `assay_accounts`: nobody is a member of it any more, keys go with memberships, and what it holds is
 * removed within the hour. False for a workspace that is none; it is left as it is.
 */
export const closeSandbox = (transaction: Transaction, workspaceId: WorkspaceId): Promise<boolean> =>
  close(transaction, workspaceId, true)

/** As `closeSandbox`, of any workspace. False for one that was closed before. */
export const closeWorkspace = (transaction: Transaction, workspaceId: WorkspaceId): Promise<boolean> =>
  close(transaction, workspaceId, false)

const close = async (transaction: Transaction, workspaceId: WorkspaceId, isSandbox: boolean): Promise<boolean> => {
  const closed = await transaction.query(CLOSE, [workspaceId, isSandbox])
  if (closed.length === 0) return false
  await transaction.query(CLOSE_SOURCES, [workspaceId])
  await transaction.query(REVOKE, [workspaceId])
  await transaction.query(END_MEMBERSHIPS, [workspaceId])
  return true
}

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
