import { dismissFirstSteps as dismiss } from '../../../model/workspaces/overview.ts'
import { Type, writeOperation } from '../define.ts'

export const dismissFirstSteps = writeOperation({
  name: 'dismiss_first_steps',
  title: 'Put the first steps away',
  summary: 'Puts the list of first steps away for you in this workspace, or shows it again. Others still see theirs.',
  effect: 'write',
  units: 1,
  role: 'viewer',
  audience: 'people',
  cannotBeUndone: 'It changes nothing of the workspace. Send dismissed: false to see the list again.',
  input: Type.Object({ dismissed: Type.Boolean({ description: 'False shows it again.' }) }),
  output: Type.Object({ dismissed: Type.Boolean() }),
  apply: async ({ dismissed }, transaction, { caller }) => {
    await dismiss(transaction, caller.workspaceId, caller.userId, dismissed)
    return { data: { dismissed } }
  },
})
