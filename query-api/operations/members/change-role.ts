import { Type } from 'typebox'
import { writeOperation } from '../define.ts'
import { keysOf, lastOwner, lockMember, revokeInvitationsBy } from './lock-members.ts'
import { ChangedMember, role, userId } from './member-shape.ts'

const CHANGE = `update members set role = $3 where workspace_id = $1 and user_id = $2`

export const changeRole = writeOperation({
  name: 'change_role',
  title: 'Change a member’s role',
  summary:
    'Gives a member another role in this workspace; their keys follow it. Invitations by an owner who is one no longer are revoked. The last owner stays an owner.',
  effect: 'write',
  units: 3,
  role: 'owner',
  audience: 'people',
  worksAs: 'assay_accounts',
  input: Type.Object({ user_id: userId, role }),
  output: ChangedMember,
  apply: async (input, transaction, { caller, evictKey }) => {
    const member = await lockMember(transaction, caller, input.user_id)
    if (member.isLastOwner && input.role !== 'owner') throw lastOwner()
    await transaction.query(CHANGE, [caller.workspaceId, member.user_id, input.role])
    if (input.role !== 'owner') await revokeInvitationsBy(transaction, caller, member.user_id)
    const keys = await keysOf(transaction, caller, member.user_id)
    return { data: { user_id: member.user_id, role: input.role }, afterCommit: () => keys.forEach(evictKey) }
  },
})
