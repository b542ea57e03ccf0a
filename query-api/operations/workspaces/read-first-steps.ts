import { readFirstSteps as read } from '../../../model/workspaces/overview.ts'
import { FIRST_STEPS } from '../../../schemas/domain/vocabulary.ts'
import { readOperation, Type } from '../define.ts'
import { oneOf } from '../parts/fields.ts'

export const readFirstSteps = readOperation({
  name: 'read_first_steps',
  title: 'The first steps of a workspace',
  summary:
    'Says which of the first steps are done, by what the workspace holds, and whether the list is still to be shown to you: once there is a signal, until all is done or you dismiss it.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  input: Type.Object({}),
  output: Type.Object({
    is_shown: Type.Boolean({ description: 'Whether there is something left to do and you have not dismissed it.' }),
    steps: Type.Array(Type.Object({ step: oneOf(FIRST_STEPS), is_done: Type.Boolean() })),
  }),
  run: async (_input, { caller, read: reading }) => {
    const row = await reading(transaction => read(transaction, caller.workspaceId, caller.userId))
    const steps = FIRST_STEPS.map(step => ({ step, is_done: row?.[step] ?? false }))
    const isWanted = row?.is_begun === true && !row.was_dismissed
    const is_shown = isWanted && steps.some(({ is_done }) => !is_done)
    return { data: { is_shown, steps } }
  },
})
