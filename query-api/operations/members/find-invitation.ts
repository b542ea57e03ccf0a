import { Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { sha256 } from '../../../infra/runtime/secrets.ts'
import { type FoundInvitation, lockInvitation } from '../../../model/members/invitations.ts'
import { invalidInvitation } from '../../accounts/sign-up-check.ts'
import type { Caller } from '../define.ts'

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
