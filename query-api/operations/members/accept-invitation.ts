import { Type } from 'typebox'
import { writeOperation } from '../define.ts'
import { uuid } from '../parts/fields.ts'
import { findInvitation, token } from './find-invitation.ts'
import { role } from './member-shape.ts'

const JOIN = `
  insert into members (workspace_id, user_id, role) values ($1, $2, $3) on conflict (workspace_id, user_id) do nothing`
const ACCEPTED = `update invitations set accepted_at = now(), accepted_by = $2 where id = $1`

export const acceptInvitation = writeOperation({
  name: 'accept_invitation',
  title: 'Accept an invitation',
  summary:
    'Makes you a member of the workspace that an invitation is for. The link is used up; who is a member already keeps their role, and the link stays for somebody else.',
  effect: 'write',
  units: 3,
  role: 'viewer',
  audience: 'people',
  worksAs: 'assay_accounts',
  input: Type.Object({ token }),
  output: Type.Object({ workspace_id: uuid, workspace_name: Type.String(), role }),
  apply: async (input, transaction, { caller }) => {
    const { id, workspace_id, workspace_name, role, present_role } = await findInvitation(
      transaction,
      caller,
      input.token,
    )
    if (present_role !== null) return { data: { workspace_id, workspace_name, role: present_role } }
    await transaction.query(JOIN, [workspace_id, caller.userId, role])
    await transaction.query(ACCEPTED, [id, caller.userId])
    return { data: { workspace_id, workspace_name, role } }
  },
})
