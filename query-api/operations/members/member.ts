import { sha256 } from '../../../infra/runtime/secrets.ts'
import { type FoundInvitation, type InvitationRow, lockInvitation } from '../../../model/members/invitations.ts'
import { lockMember as holdMember, lockOwners, type NamedMember } from '../../../model/members/members.ts'
import { MEMBER_ROLES } from '../../../schemas/domain/vocabulary.ts'
import { invalidInvitation } from '../../accounts/sign-up-check.ts'
import { AssayError, type Caller, type Transaction, Type } from '../define.ts'
import { instant, oneOf, uuid } from '../parts/fields.ts'

const ROLE_MEANINGS =
  'owner: also members, keys of others and rules; member: also sources, triage and decisions; viewer: reads.'

export const role = oneOf(MEMBER_ROLES, { description: ROLE_MEANINGS })

export const userId = Type.With(uuid, { description: 'The member’s user_id, from list_members.' })

export const ChangedMember = Type.Object({ user_id: uuid, role })

interface LockedMember extends NamedMember {
  readonly isLastOwner: boolean
}

/**
 * Locks the owners and the member until the transaction ends, so that two owners cannot remove each other at once.
 * Rejects with `not_found` for a person who is no member, and with `forbidden` when the caller has lost the right.
 */
export const lockMember = async (transaction: Transaction, caller: Caller, userId: string): Promise<LockedMember> => {
  const owners = await lockOwners(transaction, caller.workspaceId)
  if (!owners.includes(caller.userId) && userId !== caller.userId) {
    throw new AssayError('forbidden', 'Only an owner of this workspace changes other members. Ask one of its owners.')
  }
  const member = await holdMember(transaction, caller.workspaceId, userId)
  if (member === undefined) {
    throw new AssayError('not_found', `No member ${userId} is in this workspace; list_members lists them.`)
  }
  return { ...member, isLastOwner: member.role === 'owner' && owners.length === 1 }
}

/** Refuses a change that would leave the workspace without an owner. */
export const lastOwner = (): AssayError =>
  new AssayError('conflict', 'A workspace keeps at least one owner. Make another member an owner first.')

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

/** The part behind the # of an invitation's link. */
export const token = Type.String({
  pattern: '^[A-Za-z0-9_-]{43}$',
  description: 'The token of the invitation: what stands after the # of its link.',
})

/** The invitation that a token opens for the caller, locked. Rejects with `not_found` without a reason. */
export const findInvitation = async (
  transaction: Transaction,
  caller: Caller,
  given: string,
): Promise<FoundInvitation> => {
  const found = await lockInvitation(transaction, sha256(given), caller.userId)
  if (found !== undefined) return found
  throw invalidInvitation('not_found')
}
