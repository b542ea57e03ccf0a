import { listInvitations as readInvitations } from '../../../model/members/invitations.ts'
import { readOperation, Type } from '../define.ts'
import { inOneAnswer } from '../parts/fields.ts'
import { InvitationShape, toInvitation } from './member.ts'

export const listInvitations = readOperation({
  name: 'list_invitations',
  title: 'List the invitations',
  summary: 'Lists the invitations to this workspace that somebody could still accept. Links cannot be shown again.',
  units: 1,
  role: 'owner',
  audience: 'people',
  databaseRole: 'assay_accounts',
  input: Type.Object({}),
  output: Type.Object({ items: inOneAnswer('they count for the quota of members', InvitationShape) }),
  run: async (_input, { caller, read }) => {
    const rows = await read(transaction => readInvitations(transaction, caller.workspaceId))
    return { data: { items: rows.map(toInvitation) } }
  },
})
