import type { Hold } from '../../infra/postgres/held-writes.ts'
import type { Database, Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { derivedId, type KeyId, type TenantId, type UserId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { requestRewrite } from '../erasures/rewrites.ts'
import { guardedTransaction, recordChange } from '../installation/administrators.ts'

export interface OwnedAlone {
  readonly id: WorkspaceId
  readonly name: string
  readonly members: number
}

// Workspaces without another owner, with their members.
const OWNED_ALONE = `
  select workspaces.id, workspaces.name, count(*)::integer as members
  from members as own
  join workspaces on workspaces.id = own.workspace_id
  join members on members.workspace_id = own.workspace_id
  where own.user_id = $1 and own.role = 'owner'
  group by workspaces.id
  having count(*) filter (where members.role = 'owner') = 1
  order by workspaces.name, workspaces.id`

/**
 * Workspaces with this person as the only owner. Those with other members must be handed over; the others are deleted
 * with the account.
 */
export const ownedAlone = (transaction: Transaction, user: UserId): Promise<OwnedAlone[]> =>
  transaction.query<OwnedAlone>(OWNED_ALONE, [user])

// Locks like a change of a workspace's owners (model/members/members.ts), so that the second of two changes sees the
// first. The person's own memberships come first, because the person's running writes hold them (`require_standing`).
const HOLD_MEMBERS = `
  select hold_member(workspace_id, user_id) from (
    select workspace_id, user_id from members
    where user_id = $1 or role = 'owner' and workspace_id in (select workspace_id from members where user_id = $1)
    order by workspace_id, user_id offset 0) as held`
const CLOSE = `
  update workspaces set deleted_at = now(), name = 'Deleted workspace', slug = 'deleted-' || right(id::text, 12)
  where id = any ($1::uuid[])`
const CLOSE_SOURCES = `
  update sources set deleted_at = now(), changed_at = now() where workspace_id = any ($1::uuid[]) and deleted_at is null`
const REVOKE = `
  update invitations set revoked_at = now()
  where accepted_at is null and revoked_at is null and (invited_by = $1 or workspace_id = any ($2::uuid[]))`
const KEYS = `select id from mcp_keys where owner_id = $1`
const FORGET_TENANT = `update tenants set name = 'Deleted account' where id = $1`
const NAME = `select name from account_users where id = $1 for update`
const DELETE = `delete from account_users where id = $1`

/** Throws when other members would be left in a workspace without an owner. */
const refuseLeavingOthers = (owned: readonly OwnedAlone[]): void => {
  const shared = owned.filter(({ members }) => members > 1)
  if (shared.length === 0) return
  throw new AssayError(
    'conflict',
    `You are the last owner of ${shared.map(({ name }) => `“${name}”`).join(', ')}, where others work. Make one of them an owner under Settings → Members first. Nothing was deleted.`,
    { context: { to_transfer: shared.map(({ id, name }) => ({ id, name })) } },
  )
}

/**
 * Deletes an account. Its sessions, memberships and keys go with it; its invitations are revoked; workspaces without
 * other members are closed and emptied later. Texts that it wrote keep the author's name. Answers the ended keys.
 * Rejects with `conflict` for the last owner of a workspace with other members and for the last administrator, and with
 * the hold's refusal when the hold is lost; then nothing changes.
 */
export const deleteAccount = (database: Database, user: UserId, hold?: Hold): Promise<readonly KeyId[]> =>
  guardedTransaction(database, async transaction => {
    await transaction.query(HOLD_MEMBERS, [user])
    if (hold !== undefined && !(await hold.holds(transaction))) throw hold.refusal()
    const owned = await ownedAlone(transaction, user)
    refuseLeavingOthers(owned)
    const closed = owned.map(({ id }) => id)
    const keys = await transaction.query<{ id: KeyId }>(KEYS, [user])
    await transaction.query(CLOSE_SOURCES, [closed])
    await transaction.query(REVOKE, [user, closed])
    await transaction.query(CLOSE, [closed])
    await transaction.query(FORGET_TENANT, [derivedId<TenantId>('first tenant', user)])
    const [account] = await transaction.query<{ name: string }>(NAME, [user])
    if (account === undefined) return []
    await recordChange(transaction, {
      change: 'account_deleted',
      account: { id: user, name: account.name },
      by: { id: user, name: account.name },
    })
    await transaction.query(DELETE, [user])
    await requestRewrite(transaction)
    return keys.map(({ id }) => id)
  })
