import { Type } from 'typebox'
import { MEMBER_ROLES, type MemberRole } from '../../../schemas/domain/vocabulary.ts'
import { readOperation } from '../define.ts'

interface Row {
  readonly id: string
  readonly name: string
  readonly role: MemberRole
  readonly sandbox: boolean
  readonly created_at: Date
}

const SELECT = `
  select workspaces.id, workspaces.name, workspaces.sandbox, workspaces.created_at, members.role
  from members join workspaces on workspaces.id = members.workspace_id
  where members.user_id = $1
  order by members.created_at, workspaces.id`

export const listWorkspaces = readOperation({
  name: 'list_workspaces',
  title: 'List your workspaces',
  summary: 'Lists the workspaces that you are a member of. The header X-Workspace-Id chooses one for a request.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  provisioning: true,
  worksAs: 'assay_accounts',
  input: Type.Object({}),
  output: Type.Object({
    items: Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid' }),
        name: Type.String(),
        role: Type.Enum(MEMBER_ROLES),
        sandbox: Type.Boolean(),
        current: Type.Boolean({ description: 'Whether this request works in it.' }),
        created_at: Type.String({ format: 'date-time' }),
      }),
    ),
  }),
  run: async (_input, { caller, read }) => {
    const rows = await read(transaction => transaction.query<Row>(SELECT, [caller.userId]))
    const items = rows.map(row => ({
      ...row,
      current: row.id === caller.workspaceId,
      created_at: row.created_at.toISOString(),
    }))
    return { data: { items } }
  },
})
