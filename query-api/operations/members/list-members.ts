import { listMembers as readMembers } from '../../../model/members/members.ts'
import { readOperation, Type } from '../define.ts'
import { inOneAnswer, instant, uuid } from '../parts/fields.ts'
import { role } from './member.ts'

export const listMembers = readOperation({
  name: 'list_members',
  title: 'List the members',
  summary: 'Lists who is a member of this workspace, with their roles, owners first.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  databaseRole: 'assay_accounts',
  input: Type.Object({}),
  output: Type.Object({
    your_role: role,
    items: inOneAnswer(
      'a workspace has a quota of them',
      Type.Object({
        user_id: uuid,
        name: Type.String(),
        email: Type.String(),
        role,
        is_you: Type.Boolean(),
        joined_at: instant,
      }),
    ),
  }),
  run: async (_input, { caller, read }) => {
    const rows = await read(transaction => readMembers(transaction, caller.workspaceId))
    const items = rows.map(row => ({
      ...row,
      is_you: row.user_id === caller.userId,
      joined_at: row.joined_at.toISOString(),
    }))
    return { data: { your_role: caller.role, items } }
  },
})
