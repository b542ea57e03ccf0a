import { sha256 } from '../../../infra/runtime/secrets.ts'
import { type FoundInvitation, type InvitationRow, lockInvitation } from '../../../model/members/invitations.ts'
import { invalidInvitation } from '../../accounts/sign-up-check.ts'
import { type Caller, type Transaction, Type } from '../define.ts'
import { instant, uuid } from '../parts/fields.ts'
import { role } from './member.ts'

/** An invitation as lists show it, without its link. */
export const InvitationShape = Type.Object({
  id: uuid,
  label: Type.String(),
  role,
  invited_by_name: Type.String(),
  created_at: instant,
  expires_at: instant,
})

export const toInvitation = ({ created_at, expires_at, ...rest }: InvitationRow) => ({
  ...rest,
  created_at: created_at.toISOString(),
  expires_at: expires_at.toISOString(),
})

/** What stands after the # of an invitation's link. */
export const token = Type.String({
  pattern: '^[A-Za-z0-9_-]{43}$',
  description: 'The token of the invitation: what stands after the # of its link.',
})

/** The invitation that a token opens for the caller, locked. Rejects with `not_found`, and says nothing of why. */
export const findInvitation = async (
  transaction: Transaction,
  caller: Caller,
  given: string,
): Promise<FoundInvitation> => {
  const found = await lockInvitation(transaction, sha256(given), caller.userId)
  if (found !== undefined) return found
  throw invalidInvitation('not_found')
}
