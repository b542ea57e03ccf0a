import { Type } from 'typebox'
import type { KeyId } from '../../../schemas/domain/ids.ts'
import { readOperation } from '../define.ts'
import { nullable, oneOf } from '../parts/fields.ts'
import { keyWork } from './key-work.ts'

interface Row {
  readonly id: KeyId
  readonly label: string
  readonly last_four: string
  readonly scope: 'workspace' | 'provisioning'
  readonly owner_id: string
  readonly created_at: Date
  readonly last_used_at: Date | null
}

const SELECT = `
  select id, label, last_four, scope, owner_id, created_at, last_used_at
  from mcp_keys
  where workspace_id = $1 and ($2 or owner_id = $3)
  order by created_at desc, id desc`

export const listKeys = readOperation({
  name: 'list_keys',
  title: 'List MCP keys',
  summary: "Lists your keys of this workspace, and for an owner everybody's. Keys themselves cannot be shown again.",
  units: 1,
  role: 'viewer',
  audience: 'people',
  input: Type.Object({}),
  output: Type.Object({
    items: Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid' }),
        label: Type.String(),
        last_four: Type.String(),
        scope: oneOf(['workspace', 'provisioning'], { description: 'provisioning: made by the operator.' }),
        yours: Type.Boolean(),
        created_at: Type.String({ format: 'date-time' }),
        last_used_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
        work_units: nullable(
          Type.Integer({ description: 'What its calls cost in the last 30 days; null while the analytics are away.' }),
        ),
      }),
    ),
  }),
  run: async (_input, { caller, read, services }) => {
    const rows = await read(transaction =>
      transaction.query<Row>(SELECT, [caller.workspaceId, caller.role === 'owner', caller.userId]),
    )
    const workOf = await keyWork(services.analytics, caller.workspaceId, {
      keys: rows.map(({ id }) => id),
      now: services.now(),
    })
    const items = rows.map(row => ({
      id: row.id,
      label: row.label,
      last_four: row.last_four,
      scope: row.scope,
      yours: row.owner_id === caller.userId,
      created_at: row.created_at.toISOString(),
      last_used_at: row.last_used_at?.toISOString() ?? null,
      work_units: workOf(row.id),
    }))
    return { data: { items } }
  },
})
