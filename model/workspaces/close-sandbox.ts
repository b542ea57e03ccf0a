import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'

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
