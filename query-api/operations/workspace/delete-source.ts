import { Type } from 'typebox'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { writeOperation } from '../define.ts'

// A tombstone: the edge polls for changes and would never see a row that is gone.
const DELETE = `
  update sources set deleted_at = now(), changed_at = now()
  where workspace_id = $1 and id = $2 and deleted_at is null
  returning id`

export const deleteSource = writeOperation({
  name: 'delete_source',
  title: 'Delete a source',
  summary: 'Closes a source’s address for good; senders get 404 within seconds. The signals that came through it stay.',
  effect: 'destructive',
  units: 3,
  role: 'member',
  audience: 'people',
  input: Type.Object({ id: Type.String({ format: 'uuid', description: 'The source’s id, from list_sources.' }) }),
  output: Type.Object({ id: Type.String({ format: 'uuid' }) }),
  apply: async ({ id }, transaction, { caller }) => {
    const deleted = await transaction.query(DELETE, [caller.workspaceId, id])
    if (deleted.length === 0) {
      throw new AssayError('not_found', `No source ${id} is in this workspace; list_sources lists them.`)
    }
    return { data: { id } }
  },
})
