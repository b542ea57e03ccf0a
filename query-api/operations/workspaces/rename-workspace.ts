import { lockName, renameWorkspace as rename } from '../../../model/workspaces/workspaces.ts'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { Type, throwDeleted, writeOperation } from '../define.ts'
import { expected, requireExpected } from '../parts/expected.ts'

const name = Type.String({ minLength: 1, maxLength: MAX_CHARACTERS.name, pattern: '\\S' })

export const renameWorkspace = writeOperation({
  name: 'rename_workspace',
  title: 'Rename the workspace',
  summary: 'Gives this workspace another name. Its addresses stay as they are.',
  effect: 'write',
  units: 3,
  role: 'owner',
  audience: 'people',
  databaseRole: 'assay_accounts',
  input: Type.Object({ name, expected: expected({ name }) }),
  output: Type.Object({ id: Type.String({ format: 'uuid' }), name: Type.String() }),
  apply: async (input, transaction, { caller }) => {
    const present = (await lockName(transaction, caller.workspaceId)) ?? throwDeleted('workspace')
    requireExpected('The workspace’s name has changed since you read it.', input.expected, { name: present })
    const renamed = await rename(transaction, caller.workspaceId, input.name.trim())
    return { data: renamed ?? throwDeleted('workspace') }
  },
})
