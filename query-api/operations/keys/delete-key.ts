import { Type } from 'typebox'
import { AssayError } from '../../../infra/runtime/errors.ts'
import type { KeyId } from '../../../schemas/domain/ids.ts'
import { writeOperation } from '../define.ts'

const DELETE = `delete from mcp_keys where workspace_id = $1 and id = $2 and ($3 or owner_id = $4) returning id`

export const deleteKey = writeOperation({
  name: 'delete_key',
  title: 'Delete an MCP key',
  summary: 'Revokes a key for good: yours, or as an owner anybody’s in this workspace.',
  effect: 'destructive',
  units: 3,
  role: 'viewer',
  audience: 'people',
  input: Type.Object({ id: Type.String({ format: 'uuid', description: 'The key’s id, from list_keys.' }) }),
  output: Type.Object({ id: Type.String({ format: 'uuid' }) }),
  apply: async ({ id }, transaction, { caller, evictKey }) => {
    const [deleted] = await transaction.query<{ id: KeyId }>(DELETE, [
      caller.workspaceId,
      id,
      caller.role === 'owner',
      caller.userId,
    ])
    if (!deleted)
      throw new AssayError('not_found', `No key ${id} that you may delete is in this workspace; list_keys lists them.`)
    return { data: { id: deleted.id }, afterCommit: () => evictKey(deleted.id) }
  },
})
