import { readOperation, Type } from '../define.ts'
import { instant, nullable } from '../parts/fields.ts'
import { findInvitation, role, token } from './member.ts'

export const readInvitation = readOperation({
  name: 'read_invitation',
  title: 'Read an invitation',
  summary: 'Answers what an invitation’s link leads to, before it is accepted.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  worksAs: 'assay_accounts',
  input: Type.Object({ token }),
  output: Type.Object({
    workspace_name: Type.String(),
    role,
    invited_by_name: Type.String(),
    expires_at: instant,
    present_role: nullable(role),
  }),
  run: async (input, { caller, read }) => {
    const { workspace_name, role, invited_by_name, expires_at, present_role } = await read(transaction =>
      findInvitation(transaction, caller, input.token),
    )
    return {
      data: { workspace_name, role, invited_by_name, expires_at: expires_at.toISOString(), present_role },
    }
  },
})
