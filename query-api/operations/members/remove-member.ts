import { Type } from 'typebox'
import { writeOperation } from '../define.ts'
import { uuid } from '../parts/fields.ts'
import { keysOf, lastOwner, lockMember, revokeInvitationsBy } from './lock-members.ts'
import { userId } from './member-shape.ts'

// Keys go with the membership: their foreign key cascades.
const REMOVE = `delete from members where workspace_id = $1 and user_id = $2`

export const removeMember = writeOperation({
  name: 'remove_member',
  title: 'Remove a member',
  summary:
    'Ends a membership: an owner removes anybody, and everybody leaves by themselves. Their keys for this workspace and the invitations that they made end with it; what they decided stays. The last owner cannot go.',
  effect: 'destructive',
  units: 3,
  role: 'viewer',
  audience: 'people',
  worksAs: 'assay_accounts',
  input: Type.Object({ user_id: userId }),
  output: Type.Object({ user_id: uuid }),
  apply: async (input, transaction, { caller, evictKey }) => {
    const member = await lockMember(transaction, caller, input.user_id)
    if (member.isLastOwner) throw lastOwner()
    const keys = await keysOf(transaction, caller, member.user_id)
    await revokeInvitationsBy(transaction, caller, member.user_id)
    await transaction.query(REMOVE, [caller.workspaceId, member.user_id])
    return { data: { user_id: member.user_id }, afterCommit: () => keys.forEach(evictKey) }
  },
})
