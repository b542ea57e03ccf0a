import type { Database } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import type { UserId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { recordAudit } from '../audit/audit-log.ts'
import { makeKey } from './keys.ts'

// The person's oldest workspace, which the sign-up made.
const OWNED = `
  select members.workspace_id, members.user_id
  from account_users join members on members.user_id = account_users.id
  where account_users.email = lower($1) and members.role = 'owner'
    and exists (select from administrators where administrators.user_id = account_users.id)
  order by members.created_at, members.workspace_id
  limit 1`
/**
 * Makes a key of the scope `provisioning`, which acts as a person in the tenant of their first workspace. Only the
 * operator's command line calls this. Answers the key; only its hash is stored. Rejects with `not_found` when no
 * administrator with that address owns a workspace.
 */
export const createProvisioningKey = async (
  database: Database,
  { email, label }: { readonly email: string; readonly label: string },
): Promise<string> =>
  database.transaction({ role: 'assay_accounts' }, async transaction => {
    const [owned] = await transaction.query<{ workspace_id: WorkspaceId; user_id: UserId }>(OWNED, [email])
    if (!owned) {
      throw new AssayError(
        'not_found',
        `No administrator of this installation has the address ${email} and owns a workspace. \`assay account list\` says who is one, and make-administrator makes one.`,
      )
    }
    const { workspace_id, user_id } = owned
    const { id, key } = await makeKey(transaction, {
      workspaceId: workspace_id,
      ownerId: user_id,
      label: label.trim().slice(0, 120),
      scope: 'provisioning',
    })
    await recordAudit(transaction, {
      action: 'provisioning_key_made',
      by: { kind: 'operator' },
      id,
      name: label.trim().slice(0, 120),
      detail: { owner: user_id },
    })
    return key
  })
