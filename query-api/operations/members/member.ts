import { lockMember as holdMember, lockOwners, type MemberRow } from '../../../model/members/members.ts'
import { MEMBER_ROLES } from '../../../schemas/domain/vocabulary.ts'
import { AssayError, type Caller, type Transaction, Type } from '../define.ts'
import { oneOf, uuid } from '../parts/fields.ts'

const ROLE_MEANINGS =
  'owner: also members, keys of others and rules; member: also sources, triage and decisions; viewer: reads.'

export const role = oneOf(MEMBER_ROLES, { description: ROLE_MEANINGS })

/** The member whom an operation is about. */
export const userId = Type.With(uuid, { description: 'The member’s user_id, from list_members.' })

export const ChangedMember = Type.Object({ user_id: uuid, role })

interface LockedMember extends MemberRow {
  readonly isLastOwner: boolean
}

/**
 * Locks the owners and the member that is to change, until the transaction ends, so that two owners cannot remove each other at once.
 * Rejects with `not_found` for somebody who is no member, and with `forbidden` when the caller lost the right meanwhile.
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

/** For a change that would leave the workspace without an owner. */
export const lastOwner = (): AssayError =>
  new AssayError('conflict', 'A workspace keeps at least one owner. Make another member an owner first.')
