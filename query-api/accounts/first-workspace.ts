import type { Database, Transaction } from '../../infra/postgres/port.ts'
import type { Quotas } from '../../model/quotas/quotas.ts'
import { requireQuota } from '../../model/quotas/require-quota.ts'
import { derivedId, type TenantId, type UserId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { insertWorkspace } from './workspaces.ts'

const NAME = `select name from account_users where id = $1`
const INSERT_TENANT = `insert into tenants (id, name) values ($1, $2) on conflict (id) do nothing`
const IS_MEMBER = `select from members where user_id = $1 limit 1`

/**
 * Gives a person who is a member of no workspace their own tenant and a workspace in it. The ids follow from the person's, so that running it
 * again, or twice at once, changes nothing: an account that was left half-made, or whose last membership ended, heals the next time
 * somebody signs in to it. Rejects with `quota_exceeded` for who has made and left as many as an account may make.
 */
export const ensureFirstWorkspace = async (database: Database, id: UserId, quotas: Quotas): Promise<void> => {
  const tenantId = derivedId<TenantId>('first tenant', id)
  await database.transaction({ role: 'assay_accounts' }, async transaction => {
    const [person] = await transaction.query<{ name: string }>(NAME, [id])
    const owner = person?.name.trim().slice(0, 100) || 'My'
    await transaction.query(INSERT_TENANT, [tenantId, owner])
    // The workspace made before is in others' hands when the person is there no more: the next one gets the next id.
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
