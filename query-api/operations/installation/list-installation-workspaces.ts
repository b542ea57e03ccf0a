import { Type } from 'typebox'
import { readOperation } from '../define.ts'
import { decodeCursor, nextCursor } from '../parts/cursor.ts'
import { cursor, DEFAULT_LIMIT, instant, limit, uuid } from '../parts/fields.ts'

interface Row {
  readonly id: string
  readonly name: string
  readonly sandbox: boolean
  readonly owners: string[]
  readonly members: number
  readonly created_at: Date
  readonly count: number
}

const LIST = 'list_installation_workspaces'

// Those made meanwhile come at its end.
const SELECT = `
  with page as (
    select id, name, sandbox, created_at, (count(*) over ())::integer as count
    from workspaces
    where deleted_at is null
    order by created_at, id
    limit $1 offset $2)
  select page.*,
    (select count(*)::integer from members where workspace_id = page.id) as members,
    array(
      select people.name || ' <' || people.email || '>'
      from members join account_users as people on people.id = user_id
      where workspace_id = page.id and role = 'owner' order by lower(people.name), people.id limit 20) as owners
  from page order by created_at, id`

export const listInstallationWorkspaces = readOperation({
  name: LIST,
  title: 'List every workspace of the installation',
  summary:
    'Lists every workspace of the installation with its owners and how many members it has, private ones too; nothing of what is in them.',
  units: 2,
  role: 'administrator',
  audience: 'people',
  worksAs: 'assay_accounts',
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
      transaction.query<Row>(SELECT, [input.limit ?? DEFAULT_LIMIT, position.offset]),
    )
    const count = rows[0]?.count ?? 0
    const items = rows.map(({ count: _, created_at, ...row }) => ({ ...row, created_at: created_at.toISOString() }))
    return { data: { count, items }, nextCursor: nextCursor(LIST, position, items.length, count) }
  },
})
