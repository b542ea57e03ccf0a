import { markAccepted } from '../../../model/members/invitations.ts'
import { addMember } from '../../../model/members/members.ts'
import { Type, writeOperation } from '../define.ts'
import { uuid } from '../parts/fields.ts'
import { findInvitation, role, token } from './member.ts'

export const acceptInvitation = writeOperation({
  name: 'accept_invitation',
  title: 'Accept an invitation',
  summary:
    'Makes you a member of the workspace that an invitation is for. The link is used up; who is a member already keeps their role, and the link stays for somebody else.',
  effect: 'write',
  units: 3,
  role: 'viewer',
  audience: 'people',
  databaseRole: 'assay_accounts',
  input: Type.Object({ token }),
  output: Type.Object({ workspace_id: uuid, workspace_name: Type.String(), role }),
  apply: async (input, transaction, { caller }) => {
    const { id, workspace_id, workspace_name, role, present_role } = await findInvitation(
      transaction,
      caller,
      input.token,
    )
    if (present_role !== null) return { data: { workspace_id, workspace_name, role: present_role } }
    await addMember(transaction, workspace_id, { user_id: caller.userId, role })
    await markAccepted(transaction, id, caller.userId)
    return { data: { workspace_id, workspace_name, role } }
  },
})
