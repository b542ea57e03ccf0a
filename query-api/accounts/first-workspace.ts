import type { Database } from '../../infra/postgres/port.ts'
import { derivedId, type TenantId, type UserId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { insertWorkspace } from './workspaces.ts'

const NAME = `select name from account_users where id = $1`
const INSERT_TENANT = `insert into tenants (id, name) values ($1, $2) on conflict (id) do nothing`

/**
 * Gives a person their own tenant and its first workspace. The ids follow from the person's, so that running it again, or twice
 * at once, changes nothing: an account that was left half-made heals the next time somebody signs in to it.
 */
export const ensureFirstWorkspace = async (database: Database, id: UserId): Promise<void> => {
  const tenantId = derivedId<TenantId>('first tenant', id)
  const workspaceId = derivedId<WorkspaceId>('first workspace', id)
  await database.transaction({ role: 'assay_accounts' }, async transaction => {
    const [person] = await transaction.query<{ name: string }>(NAME, [id])
    const owner = person?.name.trim().slice(0, 100) || 'My'
    await transaction.query(INSERT_TENANT, [tenantId, owner])
    await insertWorkspace(transaction, { id: workspaceId, tenantId, name: `${owner} workspace`, ownerId: id })
  })
}
