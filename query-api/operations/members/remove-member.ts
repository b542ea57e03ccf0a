import { keysOfMember } from '../../../model/keys/keys.ts'
import { revokeInvitationsBy } from '../../../model/members/invitations.ts'
import { removeMember as endMembership } from '../../../model/members/members.ts'
import { Type, writeOperation } from '../define.ts'
import { uuid } from '../parts/fields.ts'
import { lastOwner, lockMember, userId } from './member.ts'

export const removeMember = writeOperation({
  name: 'remove_member',
  title: 'Remove a member',
  summary:
    'Ends a membership: an owner removes anybody, and everybody leaves by themselves. Their keys for this workspace and the invitations that they made end with it; what they decided stays. The last owner cannot go.',
  effect: 'destructive',
  units: 3,
  role: 'viewer',
  audience: 'people',
  databaseRole: 'assay_accounts',
  changesMembers: true,
  input: Type.Object({ user_id: userId }),
  output: Type.Object({ user_id: uuid, name: Type.String() }),
  apply: async (input, transaction, { caller, evictKey }) => {
    const member = await lockMember(transaction, caller, input.user_id)
    if (member.isLastOwner) throw lastOwner()
    const keys = await keysOfMember(transaction, caller.workspaceId, member.user_id)
    await revokeInvitationsBy(transaction, caller.workspaceId, member.user_id)
    await endMembership(transaction, caller.workspaceId, member.user_id)
    return { data: { user_id: member.user_id, name: member.name }, afterCommit: () => keys.forEach(evictKey) }
  },
})
