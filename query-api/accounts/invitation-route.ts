import { sha256 } from '../../infra/runtime/secrets.ts'
import { lockInvitation } from '../../model/members/invitations.ts'
import type { UserId } from '../../schemas/domain/ids.ts'
import type { AccountRoute } from './account-route.ts'
import { invalidInvitation } from './sign-up-check.ts'

/**
 * Answers the inviter, the workspace and the role to everybody with the link, signed in or not, so that nobody has to
 * make an account only to learn them.
 */
export const readInvitation: AccountRoute['answer'] = async ({ auth, database }, { headers }, { token }) => {
  const signedIn = await auth.sessionOf(headers)
  const userId = (signedIn?.user.id as UserId | undefined) ?? null
  const found = await database.transaction({ role: 'assay_accounts' }, transaction =>
    lockInvitation(transaction, sha256(String(token)), userId),
  )
  if (found === undefined) throw invalidInvitation('not_found')
  const { workspace_name, role, invited_by_name, expires_at, present_role } = found
  return Response.json(
    { workspace_name, role, invited_by_name, expires_at: expires_at.toISOString(), present_role },
    { headers: { 'cache-control': 'no-store' } },
  )
}
