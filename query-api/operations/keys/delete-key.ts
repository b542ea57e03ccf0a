import { deleteKey as removeKey } from '../../../model/keys/keys.ts'
import { AssayError, Type, writeOperation } from '../define.ts'

export const deleteKey = writeOperation({
  name: 'delete_key',
  title: 'Delete an MCP key',
  summary: 'Revokes a key for good: yours, or as an owner anybody’s in this workspace.',
  effect: 'destructive',
  units: 3,
  role: 'viewer',
  audience: 'people',
  cannotBeUndone: 'Only a hash of a key is kept. Make a new one.',
  input: Type.Object({ id: Type.String({ format: 'uuid', description: 'The key’s id, from list_keys.' }) }),
  output: Type.Object({ id: Type.String({ format: 'uuid' }) }),
  apply: async ({ id }, transaction, { caller, evictKey }) => {
    const deleted = await removeKey(transaction, id, {
      workspaceId: caller.workspaceId,
      ownerId: caller.userId,
      everybodys: caller.role === 'owner',
    })
    if (deleted === undefined)
      throw new AssayError('not_found', `No key ${id} that you may delete is in this workspace; list_keys lists them.`)
    return { data: { id: deleted }, afterCommit: () => evictKey(deleted) }
  },
})
