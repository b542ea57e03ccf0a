import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { Database, Transaction } from '../../infra/postgres/port.ts'
import { derivedId, type KeyId, type TenantId, type UserId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { recordAudit } from '../audit/audit-log.ts'
import { requestRewrite } from '../erasures/rewrites.ts'
import { lockInvitationOfAccount, markAccepted } from '../members/invitations.ts'
import { addMember } from '../members/members.ts'
import type { Quotas } from '../quotas/quotas.ts'
import { requireQuota } from '../quotas/require-quota.ts'
import { deleteActivity } from '../sandbox/empty-sandbox.ts'

interface NewWorkspace {
  readonly id: WorkspaceId
  readonly tenantId: TenantId
  readonly name: string
  /** The workspace's first owner. */
  readonly ownerId: UserId
  /** The operator's key of the call, if any. */
  readonly provisionedBy?: KeyId
  /** True when it may be emptied and filled with sample data. */
  readonly sandbox: boolean
}

const INSERT_WORKSPACE = `
  insert into workspaces (id, tenant_id, slug, name, sandbox, created_by, provisioned_by) values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (id) do nothing returning id`
const INSERT_OWNER = `insert into members (workspace_id, user_id, role) values ($1, $2, 'owner')`

/**
 * Makes a workspace with its owner, in a transaction of `assay_accounts`. False when a workspace with that id exists;
 * its members stay unchanged.
 */
export const insertWorkspace = async (transaction: Transaction, made: NewWorkspace): Promise<boolean> => {
  const inserted = await transaction.query(INSERT_WORKSPACE, [
    made.id,
    made.tenantId,
    slugOf(made),
    made.name,
    made.sandbox,
    made.ownerId,
    made.provisionedBy ?? null,
  ])
  if (inserted.length === 0) return false
  await transaction.query(INSERT_OWNER, [made.id, made.ownerId])
  return true
}

/** Readable characters of the name, then the end of the id, which distinguishes equal names. */
const slugOf = ({ id, name }: Pick<NewWorkspace, 'id' | 'name'>): string => {
  const readable = name
    .toLowerCase()
    .replaceAll('ß', 'ss')
    // An accent goes, and the letter below it stays.
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 32)
    .replace(/^-|-$/g, '')
  return `${readable || 'workspace'}-${id.slice(-8)}`
}

const NAME = `select name from account_users where id = $1`
const INSERT_TENANT = `insert into tenants (id, name) values ($1, $2) on conflict (id) do nothing`
const IS_MEMBER = `select from members where user_id = $1 limit 1`

/**
 * Makes a person who signed up by an invitation a member of its workspace; they get no other one. False without an
 * invitation.
 */
const joinByInvitation = async (transaction: Transaction, id: UserId, name: string): Promise<boolean> => {
  const invitation = await lockInvitationOfAccount(transaction, id)
  if (invitation === undefined) return false
  const { workspace_id: workspaceId, workspace_name, role } = invitation
  await addMember(transaction, workspaceId, { user_id: id, role })
  await markAccepted(transaction, invitation.id, id)
  await recordAudit(transaction, {
    action: 'accept_invitation',
    by: { kind: 'person', id, name },
    workspaceId,
    id: workspaceId,
    name: workspace_name,
    detail: { role },
  })
  return true
}

/**
 * Gives a person without a membership the workspace of their invitation, or a tenant and a workspace of their own. The
 * ids derive from the person's, so a repetition, also at the same time, changes nothing: an account that was left
 * incomplete, or whose last membership ended, is completed at the next sign-in. Rejects with `quota_exceeded` for a
 * person who has made and left as many workspaces as an account may make.
 */
export const ensureFirstWorkspace = async (database: Database, id: UserId, quotas: Quotas): Promise<void> => {
  const tenantId = derivedId<TenantId>('first tenant', id)
  await database.transaction({ role: 'assay_accounts' }, async transaction => {
    const [person] = await transaction.query<{ name: string }>(NAME, [id])
    if (!(await isMember(transaction, id)) && (await joinByInvitation(transaction, id, person?.name ?? ''))) return
    const owner = person?.name.trim().slice(0, 100) || 'My'
    await transaction.query(INSERT_TENANT, [tenantId, owner])
    // When the person has left an earlier workspace, others have it, and the next one gets the next id.
    if (!(await isMember(transaction, id))) await requireQuota(transaction, quotas, 'workspacesOfAccount', id)
    for (let time = 1; !(await isMember(transaction, id)); time += 1) {
      const workspaceId = derivedId<WorkspaceId>('first workspace', id, ...(time === 1 ? [] : [String(time)]))
      const name = `${owner} workspace`
      await insertWorkspace(transaction, { id: workspaceId, tenantId, name, ownerId: id, sandbox: false })
    }
  })
}

const isMember = async (transaction: Transaction, id: UserId): Promise<boolean> =>
  (await transaction.query(IS_MEMBER, [id])).length > 0

// The same as for a workspace that goes with its owner's account (model/accounts/delete-account.ts).
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
 * Closes a sandbox, in a transaction of `assay_accounts`: memberships and keys end, and its rows are removed within the
 * hour. False, without a change, for a workspace that is no sandbox.
 */
export const closeSandbox = (transaction: Transaction, workspaceId: WorkspaceId): Promise<boolean> =>
  close(transaction, workspaceId, true)

/** Closes any workspace like `closeSandbox`. False when it was closed before. */
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

/** Removes in parts, so that nobody waits long for the database. */
const ROWS_A_PART = 500

const DELETED = `select id from workspaces where deleted_at is not null and purged_at is null order by deleted_at, id`
const EMPTY = `select purge_deleted_workspace($1) as removed`
// Signals from before the closing may be on the log for as long as its retention.
const DONE = `
  update workspaces set purged_at = now()
  where id = $1 and deleted_at < now() - interval '7 days' and purged_at is null`

export interface WorkspaceStores {
  readonly database: Database
  readonly analytics: Analytics
}

/** Removes everything of a deleted workspace from both stores. Answers the number of the database's rows. */
const emptyWorkspace = async ({ database, analytics }: WorkspaceStores, workspaceId: WorkspaceId): Promise<number> => {
  let all = 0
  for (let removed = 1; removed > 0; all += removed) {
    removed = await database.transaction({ role: 'assay_sandbox', workspaceId }, async transaction => {
      const [row] = await transaction.query<{ removed: number }>(EMPTY, [ROWS_A_PART])
      const count = row?.removed ?? 0
      if (count > 0) await requestRewrite(transaction)
      return count
    })
  }
  await deleteActivity(analytics, workspaceId)
  await database.transaction({ role: 'assay_accounts' }, transaction => transaction.query(DONE, [workspaceId]))
  return all
}

/** Empties every deleted workspace. Answers the number of removed rows. A repetition changes nothing. */
export const emptyDeletedWorkspaces = async (stores: WorkspaceStores): Promise<number> => {
  const deleted = await stores.database.transaction({ role: 'assay_accounts' }, transaction =>
    transaction.query<{ id: WorkspaceId }>(DELETED),
  )
  let removed = 0
  for (const { id } of deleted) removed += await emptyWorkspace(stores, id)
  return removed
}
