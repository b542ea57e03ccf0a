import { Type } from 'typebox'
import { sha256 } from '../../../infra/runtime/secrets.ts'
import { newKey } from '../../../model/keys/new-key.ts'
import { requireQuota } from '../../../model/quotas/require-quota.ts'
import { type KeyId, newId } from '../../../schemas/domain/ids.ts'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { writeOperation } from '../define.ts'

const INSERT = `
  insert into mcp_keys (id, workspace_id, owner_id, label, hash, last_four, scope)
  values ($1, $2, $3, $4, $5, $6, 'workspace')`

export const createKey = writeOperation({
  name: 'create_key',
  title: 'Create an MCP key',
  summary:
    'Creates a key for an agent, bound to this workspace, that sees what you see. The key is shown in this answer only.',
  effect: 'write',
  units: 3,
  role: 'viewer',
  audience: 'people',
  input: Type.Object({
    label: Type.String({
      minLength: 1,
      maxLength: MAX_CHARACTERS.name,
      pattern: '\\S',
      description: 'What you will know the key by.',
    }),
  }),
  output: Type.Object({
    id: Type.String({ format: 'uuid' }),
    key: Type.Union([Type.String(), Type.Null()], {
      description: 'The key itself; null when an idempotent call is repeated, as only its hash is stored.',
    }),
  }),
  apply: async ({ label }, transaction, { caller, services }) => {
    await requireQuota(transaction, services.quotas, 'keys', caller.workspaceId)
    const id = newId<KeyId>()
    const key = newKey()
    const lastFour = key.slice(-4)
    await transaction.query(INSERT, [id, caller.workspaceId, caller.userId, label.trim(), sha256(key), lastFour])
    return { data: { id, key }, secretFields: ['key'] }
  },
})
