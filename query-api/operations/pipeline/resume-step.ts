import { resumeStep as resume } from '../../../model/pipeline/paused-steps.ts'
import { STEPS } from '../../../schemas/domain/vocabulary.ts'
import { AssayError, Type, writeOperation } from '../define.ts'
import { oneOf } from '../parts/fields.ts'

export const resumeStep = writeOperation({
  name: 'resume_step',
  title: 'Resume a paused step',
  summary:
    'Lets a paused step go on, within seconds, where it stood. What waited on the log goes through in its order.',
  effect: 'write',
  units: 3,
  role: 'administrator',
  audience: 'people',
  databaseRole: 'assay_accounts',
  input: Type.Object({ step: oneOf(STEPS) }),
  output: Type.Object({ step: oneOf(STEPS) }),
  apply: async ({ step }, transaction) => {
    if (!(await resume(transaction, step))) {
      throw new AssayError('conflict', `${step} is not paused; somebody may have resumed it already.`, {
        context: { step },
      })
    }
    return { data: { step } }
  },
})
