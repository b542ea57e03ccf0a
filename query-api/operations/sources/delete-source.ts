import { Type, writeOperation } from '../define.ts'
import { closeSource } from './source.ts'

export const deleteSource = writeOperation({
  name: 'delete_source',
  title: 'Delete a source',
  summary: 'Closes a source’s address for good; senders get 404 within seconds. The signals that came through it stay.',
  effect: 'destructive',
  units: 3,
  role: 'member',
  audience: 'people',
  cannotBeUndone: 'Its address is closed for good. Connect a new source.',
  input: Type.Object({ id: Type.String({ format: 'uuid', description: 'The source.' }) }),
  output: Type.Object({ id: Type.String({ format: 'uuid' }) }),
  apply: async ({ id }, transaction, { caller }) => {
    await closeSource(transaction, caller.workspaceId, id)
    return { data: { id } }
  },
})
