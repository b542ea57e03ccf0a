import { Type } from 'typebox'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { writeOperation } from '../define.ts'
import { throwDeleted } from '../parts/throw-deleted.ts'

const RENAME = `update workspaces set name = $2 where id = $1 returning id, name`

export const renameWorkspace = writeOperation({
  name: 'rename_workspace',
  title: 'Rename the workspace',
  summary: 'Gives this workspace another name. Its addresses stay as they are.',
  effect: 'write',
  units: 3,
  role: 'owner',
  audience: 'people',
  worksAs: 'assay_accounts',
  input: Type.Object({ name: Type.String({ minLength: 1, maxLength: MAX_CHARACTERS.name, pattern: '\\S' }) }),
  output: Type.Object({ id: Type.String({ format: 'uuid' }), name: Type.String() }),
  apply: async (input, transaction, { caller }) => {
    const values = [caller.workspaceId, input.name.trim()]
    const [renamed] = await transaction.query<{ id: string; name: string }>(RENAME, values)
    return { data: renamed ?? throwDeleted('workspace') }
  },
})
