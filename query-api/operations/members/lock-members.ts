import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import type { KeyId } from '../../../schemas/domain/ids.ts'
import type { Caller } from '../define.ts'
import type { MemberRow } from './member-shape.ts'

const OWNERS = `select user_id from members where workspace_id = $1 and role = 'owner' order by user_id for update`
const MEMBER = `select user_id, role from members where workspace_id = $1 and user_id = $2 for update`

export interface LockedMember extends MemberRow {
  readonly isLastOwner: boolean
}

/**
 * Locks the owners and the member that is to change, until the transaction ends, so that two owners cannot remove each other at once.
 * Rejects with `not_found` for somebody who is no member, and with `forbidden` when the caller lost the right meanwhile.
 */
export const lockMember = async (transaction: Transaction, caller: Caller, userId: string): Promise<LockedMember> => {
  const owners = await transaction.query<{ user_id: string }>(OWNERS, [caller.workspaceId])
  const isOwner = owners.some(owner => owner.user_id === caller.userId)
  if (!isOwner && userId !== caller.userId) {
    throw new AssayError('forbidden', 'Only an owner of this workspace changes other members. Ask one of its owners.')
  }
  const [member] = await transaction.query<MemberRow>(MEMBER, [caller.workspaceId, userId])
  if (member === undefined) {
    throw new AssayError('not_found', `No member ${userId} is in this workspace; list_members lists them.`)
  }
  return { ...member, isLastOwner: member.role === 'owner' && owners.length === 1 }
}

/** For a change that would leave the workspace without an owner. */
export const lastOwner = (): AssayError =>
  new AssayError('conflict', 'A workspace keeps at least one owner. Make another member an owner first.')

const KEYS = `select id from mcp_keys where workspace_id = $1 and owner_id = $2`

/** The keys that act as a member. */
export const keysOf = async (transaction: Transaction, { workspaceId }: Caller, userId: string): Promise<KeyId[]> => {
  const keys = await transaction.query<{ id: KeyId }>(KEYS, [workspaceId, userId])
  return keys.map(({ id }) => id)
}

const REVOKE = `
  update invitations set revoked_at = now()
  where workspace_id = $1 and invited_by = $2 and accepted_at is null and revoked_at is null`

/** Whoever may not invite any more has no link left to come back by. */
export const revokeInvitationsBy = async (transaction: Transaction, { workspaceId }: Caller, userId: string) => {
  await transaction.query(REVOKE, [workspaceId, userId])
}
