import { allWorkspaces } from '../../../model/workspaces/workspaces.ts'
import { readOperation, Type } from '../define.ts'
import { cursor, DEFAULT_LIMIT, instant, limit, uuid } from '../parts/fields.ts'
import { decodeCursor, nextCursor } from '../parts/lists.ts'

const LIST = 'list_installation_workspaces'

export const listInstallationWorkspaces = readOperation({
  name: LIST,
  title: 'List every workspace of the installation',
  summary:
    'Lists every workspace of the installation with its owners and how many members it has, private ones too; nothing of what is in them.',
  units: 2,
  role: 'administrator',
  audience: 'people',
  databaseRole: 'assay_accounts',
  input: Type.Object({ limit, cursor }),
  output: Type.Object({
    count: Type.Integer(),
    items: Type.Array(
      Type.Object({
        id: uuid,
        name: Type.String(),
        sandbox: Type.Boolean(),
        owners: Type.Array(Type.String({ description: 'Name and address.' })),
        members: Type.Integer(),
        created_at: instant,
      }),
    ),
  }),
  run: async (input, { read, services }) => {
    const position = decodeCursor(LIST, input.cursor, services.now())
    const rows = await read(transaction =>
      allWorkspaces(transaction, { limit: input.limit ?? DEFAULT_LIMIT, offset: position.offset }),
    )
    const count = rows[0]?.count ?? 0
    const items = rows.map(({ count: _, created_at, ...row }) => ({ ...row, created_at: created_at.toISOString() }))
    return { data: { count, items }, nextCursor: nextCursor(LIST, position, items.length, count) }
  },
})
