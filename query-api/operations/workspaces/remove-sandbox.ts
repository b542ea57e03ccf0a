import { closeSandbox } from '../../../model/workspaces/lifecycle.ts'
import { AssayError, Type, writeOperation } from '../define.ts'

export const removeSandbox = writeOperation({
  name: 'remove_sandbox',
  title: 'Remove the sandbox',
  summary:
    'Removes this sandbox workspace with everything in it, for all its members. Refused in a workspace that is no sandbox.',
  effect: 'destructive',
  units: 3,
  role: 'owner',
  audience: 'people',
  databaseRole: 'assay_accounts',
  changesMembers: true,
  input: Type.Object({}),
  output: Type.Object({ removed: Type.Boolean() }),
  apply: async (_input, transaction, { caller }) => {
    if (!(await closeSandbox(transaction, caller.workspaceId))) {
      throw new AssayError('conflict', 'This workspace is no sandbox, and nothing of it was changed.')
    }
    return { data: { removed: true } }
  },
})
