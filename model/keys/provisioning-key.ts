import type { Database } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { sha256 } from '../../infra/runtime/secrets.ts'
import { type KeyId, newId, type UserId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { newKey } from './new-key.ts'

// The person's oldest: the one that signing up made.
const OWNED = `
  select members.workspace_id, members.user_id
  from account_users join members on members.user_id = account_users.id
  where account_users.email = lower($1) and members.role = 'owner'
    and exists (select from administrators where administrators.user_id = account_users.id)
  order by members.created_at, members.workspace_id
  limit 1`
const INSERT = `
  insert into mcp_keys (id, workspace_id, owner_id, label, hash, last_four, scope)
  values ($1, $2, $3, $4, $5, $6, 'provisioning')`

/**
 * Makes a key of the scope `provisioning`, which acts as a person in the tenant of their first workspace. Only the operator's command
 * line calls it. Answers the key, of which only the hash is kept. Rejects with `not_found` when no administrator with that address owns a workspace.
 */
export const createProvisioningKey = async (
  database: Database,
  { email, label }: { readonly email: string; readonly label: string },
): Promise<string> => {
  const key = newKey()
  await database.transaction({ role: 'assay_accounts' }, async transaction => {
    const [owned] = await transaction.query<{ workspace_id: WorkspaceId; user_id: UserId }>(OWNED, [email])
    if (!owned) {
      throw new AssayError(
        'not_found',
        `No administrator of this installation has the address ${email} and owns a workspace. \`assay account list\` says who is one, and make-administrator makes one.`,
      )
    }
    const { workspace_id, user_id } = owned
    await transaction.query(INSERT, [
      newId<KeyId>(),
      workspace_id,
      user_id,
      label.trim().slice(0, 120),
      sha256(key),
      key.slice(-4),
    ])
  })
  return key
}
