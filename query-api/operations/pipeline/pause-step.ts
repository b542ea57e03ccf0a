import { Type } from 'typebox'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { STEPS } from '../../../schemas/domain/vocabulary.ts'
import { writeOperation } from '../define.ts'
import { instant, oneOf } from '../parts/fields.ts'

const PAUSE = `
  insert into paused_steps (step, reason, paused_by) values ($1, $2, $3)
  on conflict (step) do nothing
  returning paused_at`

const HELD_BY = 'select paused_by, reason from paused_steps where step = $1'

export const pauseStep = writeOperation({
  name: 'pause_step',
  title: 'Pause a step of the pipeline',
  summary:
    'Holds a step still in the whole installation, in both lanes, until somebody resumes it: within seconds no processor takes anything more, what comes waits on the log, and nothing is lost. The steps of its segment stand still with it. The reason is shown to everybody.',
  effect: 'write',
  units: 3,
  role: 'administrator',
  audience: 'people',
  worksAs: 'assay_accounts',
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
    const values = [step, reason.trim(), caller.userName]
    const [paused] = await transaction.query<{ paused_at: Date }>(PAUSE, values)
    if (paused !== undefined) return { data: { step, paused_at: paused.paused_at.toISOString() } }
    const [held] = await transaction.query<{ paused_by: string; reason: string }>(HELD_BY, [step])
    throw new AssayError(
      'conflict',
      `${held?.paused_by ?? 'Somebody'} has paused ${step} already (${held?.reason ?? 'and just resumed it'}); nothing was changed.`,
      { context: { step } },
    )
  },
})
