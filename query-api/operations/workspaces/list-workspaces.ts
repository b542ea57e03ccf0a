import { workspacesOf } from '../../../model/workspaces/workspaces.ts'
import { MEMBER_ROLES } from '../../../schemas/domain/vocabulary.ts'
import { readOperation, Type } from '../define.ts'
import { inOneAnswer, uuid } from '../parts/fields.ts'

export const listWorkspaces = readOperation({
  name: 'list_workspaces',
  title: 'List your workspaces',
  summary:
    'Lists the workspaces that you are a member of. The header X-Workspace-Id chooses one for a request, by its id or slug, or as `last`.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  provisioning: true,
  databaseRole: 'assay_accounts',
  input: Type.Object({}),
  output: Type.Object({
    user_id: uuid,
    user_name: Type.String({ description: 'Whose workspaces they are.' }),
    items: inOneAnswer(
      'a person is a member of few',
      Type.Object({
        id: Type.String({ format: 'uuid' }),
        slug: Type.String({ description: 'Addresses of the app begin with it: `/<slug>/app`.' }),
        name: Type.String(),
        role: Type.Enum(MEMBER_ROLES),
        sandbox: Type.Boolean(),
        current: Type.Boolean({ description: 'Whether this request works in it.' }),
        created_at: Type.String({ format: 'date-time' }),
      }),
    ),
  }),
  run: async (_input, { caller, read }) => {
    const rows = await read(transaction => workspacesOf(transaction, caller.userId))
    const items = rows.map(row => ({
      ...row,
      current: row.id === caller.workspaceId,
      created_at: row.created_at.toISOString(),
    }))
    return { data: { user_id: caller.userId, user_name: caller.userName, items } }
  },
})
