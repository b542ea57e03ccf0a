import { Type } from 'typebox'
import { readOperation } from '../define.ts'
import { instant, uuid } from '../parts/fields.ts'
import { type MemberRow, role } from './member-shape.ts'

interface Row extends MemberRow {
  readonly name: string
  readonly email: string
  readonly joined_at: Date
}

const SELECT = `
  select members.user_id, members.role, members.created_at as joined_at, people.name, people.email
  from members join account_users as people on people.id = members.user_id
  where members.workspace_id = $1
  order by array_position(array['owner', 'member', 'viewer'], members.role), lower(people.name), members.user_id`

export const listMembers = readOperation({
  name: 'list_members',
  title: 'List the members',
  summary: 'Lists who is a member of this workspace, with their roles, owners first.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  worksAs: 'assay_accounts',
  input: Type.Object({}),
  output: Type.Object({
    your_role: role,
    items: Type.Array(
      Type.Object({
        user_id: uuid,
        name: Type.String(),
        email: Type.String(),
        role,
        you: Type.Boolean(),
        joined_at: instant,
      }),
    ),
  }),
  run: async (_input, { caller, read }) => {
    const rows = await read(transaction => transaction.query<Row>(SELECT, [caller.workspaceId]))
    const items = rows.map(row => ({
      ...row,
      you: row.user_id === caller.userId,
      joined_at: row.joined_at.toISOString(),
    }))
    return { data: { your_role: caller.role, items } }
  },
})
