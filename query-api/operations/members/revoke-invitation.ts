import { Type } from 'typebox'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { writeOperation } from '../define.ts'
import { uuid } from '../parts/fields.ts'

const REVOKE = `
  update invitations set revoked_at = now()
  where workspace_id = $1 and id = $2 and accepted_at is null and revoked_at is null
  returning id`

export const revokeInvitation = writeOperation({
  name: 'revoke_invitation',
  title: 'Revoke an invitation',
  summary: 'Makes the link of an invitation invalid at once.',
  effect: 'destructive',
  units: 3,
  role: 'owner',
  audience: 'people',
  worksAs: 'assay_accounts',
  input: Type.Object({ id: Type.With(uuid, { description: 'The invitation.' }) }),
  output: Type.Object({ id: uuid }),
  apply: async ({ id }, transaction, { caller }) => {
    const [revoked] = await transaction.query<{ id: string }>(REVOKE, [caller.workspaceId, id])
    if (revoked !== undefined) return { data: revoked }
    throw new AssayError('not_found', `No invitation ${id} waits in this workspace; list_invitations lists them.`)
  },
})
