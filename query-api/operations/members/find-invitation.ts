import { Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { sha256 } from '../../../infra/runtime/secrets.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import type { MemberRole } from '../../../schemas/domain/vocabulary.ts'
import { invalidInvitation } from '../../accounts/sign-up-check.ts'
import type { Caller } from '../define.ts'

/** What stands after the # of an invitation's link. */
export const token = Type.String({
  pattern: '^[A-Za-z0-9_-]{43}$',
  description: 'The token of the invitation: what stands after the # of its link.',
})

export interface FoundInvitation {
  readonly id: string
  readonly workspace_id: WorkspaceId
  readonly workspace_name: string
  readonly role: MemberRole
  readonly invited_by_name: string
  readonly expires_at: Date
  /** The role that the caller has in its workspace already; null for nobody there. */
  readonly present_role: MemberRole | null
}

// Who accepted it finds it again: a link that is followed twice leads into the workspace.
const FIND = `
  select invitations.id, invitations.workspace_id, workspaces.name as workspace_name, invitations.role,
    invitations.invited_by_name, invitations.expires_at, members.role as present_role
  from invitations
  join workspaces on workspaces.id = invitations.workspace_id
  left join members on members.workspace_id = invitations.workspace_id and members.user_id = $2
  where invitations.hash = $1 and invitations.revoked_at is null
    and (signed_up is null or signed_up = $2)
    and (accepted_by = $2 and members.user_id is not null or accepted_at is null and expires_at > now())
  for update of invitations`

/** The invitation that a token opens for the caller, locked. Rejects with `not_found`, and says nothing of why. */
export const findInvitation = async (
  transaction: Transaction,
  caller: Caller,
  given: string,
): Promise<FoundInvitation> => {
  const [found] = await transaction.query<FoundInvitation>(FIND, [sha256(given), caller.userId])
  if (found !== undefined) return found
  throw invalidInvitation('not_found')
}
