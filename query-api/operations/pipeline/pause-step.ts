import { pauseStep as pause, pauseOf } from '../../../model/pipeline/paused-steps.ts'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { STEPS } from '../../../schemas/domain/vocabulary.ts'
import { AssayError, Type, writeOperation } from '../define.ts'
import { instant, oneOf } from '../parts/fields.ts'

export const pauseStep = writeOperation({
  name: 'pause_step',
  title: 'Pause a step of the pipeline',
  summary:
    'Holds a step still in the whole installation, in both lanes, until somebody resumes it: within seconds no processor takes anything more, what comes waits on the log, and nothing is lost. The steps of its segment stand still with it. The reason is shown to everybody.',
  effect: 'write',
  units: 3,
  role: 'administrator',
  audience: 'people',
  databaseRole: 'assay_accounts',
  input: Type.Object({
    step: oneOf(STEPS),
    reason: Type.String({
      minLength: 1,
      maxLength: MAX_CHARACTERS.pause,
      pattern: '\\S',
      description: 'Why, for everybody whose signals wait.',
    }),
  }),
  output: Type.Object({ step: oneOf(STEPS), paused_at: instant }),
  apply: async ({ step, reason }, transaction, { caller }) => {
    const pausedAt = await pause(transaction, step, { reason: reason.trim(), by: caller.userName })
    if (pausedAt !== undefined) return { data: { step, paused_at: pausedAt.toISOString() } }
    const held = await pauseOf(transaction, step)
    throw new AssayError(
      'conflict',
      `${held?.paused_by ?? 'Somebody'} has paused ${step} already (${held?.reason ?? 'and just resumed it'}); nothing was changed.`,
      { context: { step } },
    )
  },
})
