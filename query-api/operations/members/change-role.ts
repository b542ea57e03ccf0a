import { keysOfMember } from '../../../model/keys/keys.ts'
import { revokeInvitationsBy } from '../../../model/members/invitations.ts'
import { setRole } from '../../../model/members/members.ts'
import { Type, writeOperation } from '../define.ts'
import { expected, requireExpected } from '../parts/expected.ts'
import { ChangedMember, lastOwner, lockMember, role, userId } from './member.ts'

export const changeRole = writeOperation({
  name: 'change_role',
  title: 'Change a member’s role',
  summary:
    'Gives a member another role in this workspace; their keys follow it. Invitations by an owner who is one no longer are revoked. The last owner stays an owner.',
  effect: 'write',
  units: 3,
  role: 'owner',
  audience: 'people',
  databaseRole: 'assay_accounts',
  changesMembers: true,
  input: Type.Object({ user_id: userId, role, expected: expected({ role }) }),
  output: ChangedMember,
  apply: async (input, transaction, { caller, evictKey }) => {
    const member = await lockMember(transaction, caller, input.user_id)
    requireExpected('The member’s role has changed since you read it.', input.expected, { role: member.role })
    if (member.isLastOwner && input.role !== 'owner') throw lastOwner()
    await setRole(transaction, caller.workspaceId, { user_id: member.user_id, role: input.role })
    if (input.role !== 'owner') await revokeInvitationsBy(transaction, caller.workspaceId, member.user_id)
    const keys = await keysOfMember(transaction, caller.workspaceId, member.user_id)
    return { data: { user_id: member.user_id, role: input.role }, afterCommit: () => keys.forEach(evictKey) }
  },
})
