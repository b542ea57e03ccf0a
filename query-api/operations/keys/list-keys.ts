import { keyWork, listKeys as readKeys } from '../../../model/keys/keys.ts'
import { readOperation, Type } from '../define.ts'
import { inOneAnswer, nullable, oneOf } from '../parts/fields.ts'

export const listKeys = readOperation({
  name: 'list_keys',
  title: 'List MCP keys',
  summary: "Lists your keys of this workspace, and for an owner everybody's. Keys themselves cannot be shown again.",
  units: 1,
  role: 'viewer',
  audience: 'people',
  input: Type.Object({}),
  output: Type.Object({
    items: inOneAnswer(
      'a workspace has a quota of them',
      Type.Object({
        id: Type.String({ format: 'uuid' }),
        label: Type.String(),
        last_four: Type.String(),
        scope: oneOf(['workspace', 'provisioning'], { description: 'provisioning: made by the operator.' }),
        is_own: Type.Boolean(),
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
      readKeys(transaction, {
        workspaceId: caller.workspaceId,
        ownerId: caller.userId,
        everybodys: caller.role === 'owner',
      }),
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
      is_own: row.owner_id === caller.userId,
      created_at: row.created_at.toISOString(),
      last_used_at: row.last_used_at?.toISOString() ?? null,
      work_units: workOf(row.id),
    }))
    return { data: { items } }
  },
})
