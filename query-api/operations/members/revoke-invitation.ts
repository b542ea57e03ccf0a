import { revokeInvitation as revoke } from '../../../model/members/invitations.ts'
import { AssayError, Type, writeOperation } from '../define.ts'
import { uuid } from '../parts/fields.ts'

export const revokeInvitation = writeOperation({
  name: 'revoke_invitation',
  title: 'Revoke an invitation',
  summary: 'Makes the link of an invitation invalid at once.',
  effect: 'destructive',
  units: 3,
  role: 'owner',
  audience: 'people',
  databaseRole: 'assay_accounts',
  input: Type.Object({ id: Type.With(uuid, { description: 'The invitation.' }) }),
  output: Type.Object({ id: uuid }),
  apply: async ({ id }, transaction, { caller }) => {
    const revoked = await revoke(transaction, caller.workspaceId, id)
    if (revoked !== undefined) return { data: { id: revoked } }
    throw new AssayError('not_found', `No invitation ${id} waits in this workspace; list_invitations lists them.`)
  },
})
