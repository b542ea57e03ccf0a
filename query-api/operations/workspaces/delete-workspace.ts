import { closeWorkspace } from '../../../model/workspaces/lifecycle.ts'
import { nameOfWorkspace } from '../../../model/workspaces/workspaces.ts'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { AssayError, Type, writeOperation } from '../define.ts'

export const deleteWorkspace = writeOperation({
  name: 'delete_workspace',
  title: 'Delete the workspace',
  summary:
    'Closes this workspace for all of its members at once, with its sources and keys. What it holds is removed from every store within the hour.',
  effect: 'destructive',
  units: 3,
  role: 'owner',
  audience: 'people',
  databaseRole: 'assay_accounts',
  changesMembers: true,
  input: Type.Object({
    confirm: Type.String({ maxLength: MAX_CHARACTERS.identifier, description: 'The workspace’s name, written out.' }),
  }),
  output: Type.Object({ deleted: Type.Boolean() }),
  apply: async ({ confirm }, transaction, { caller }) => {
    const name = await nameOfWorkspace(transaction, caller.workspaceId)
    if (name === null || confirm.trim() !== name.trim()) {
      throw new AssayError('invalid_input', 'This is not the name of the workspace. Nothing was deleted.', {
        violations: [{ pointer: '/confirm', message: 'must be the name of the workspace' }],
      })
    }
    return { data: { deleted: await closeWorkspace(transaction, caller.workspaceId) } }
  },
})
