import { Type } from 'typebox'
import { readOperation } from '../define.ts'
import { type InvitationRow, InvitationShape, toInvitation } from './invitation-shape.ts'

const SELECT = `
  select id, label, role, invited_by_name, created_at, expires_at
  from invitations
  where workspace_id = $1 and accepted_at is null and revoked_at is null and expires_at > now()
  order by created_at desc, id`

export const listInvitations = readOperation({
  name: 'list_invitations',
  title: 'List the invitations',
  summary: 'Lists the invitations to this workspace that somebody could still accept. Links cannot be shown again.',
  units: 1,
  role: 'owner',
  audience: 'people',
  worksAs: 'assay_accounts',
  input: Type.Object({}),
  output: Type.Object({ items: Type.Array(InvitationShape) }),
  run: async (_input, { caller, read }) => {
    const rows = await read(transaction => transaction.query<InvitationRow>(SELECT, [caller.workspaceId]))
    return { data: { items: rows.map(toInvitation) } }
  },
})
