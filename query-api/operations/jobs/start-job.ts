import { runningJob } from '../../../model/jobs/jobs.ts'
import { REPEATED_WORK, type RepeatedWork } from '../../../schemas/domain/vocabulary.ts'
import { AssayError, Type, writeOperation } from '../define.ts'
import { oneOf } from '../parts/fields.ts'
import { beginJob, JobShape, jobShape, readJob } from './job.ts'

/** A replay needs a selection of letters. */
const repeatable = (kind: RepeatedWork | 'replay'): RepeatedWork => {
  if (kind !== 'replay') return kind
  throw new AssayError(
    'invalid_input',
    'A replay is of certain dead letters: start it with service_support mode replay, which counts them first.',
    { violations: [{ pointer: '/job_kind', message: `must be one of ${REPEATED_WORK.join(', ')}` }] },
  )
}

export const startJob = writeOperation({
  name: 'start_job',
  title: 'Do work on the workspace again',
  summary:
    'Starts long work on everything that the workspace has. re_embed: vectors of the present embedding model for whatever lacks one. re_scrub: removes what the present rules about personal data find; it cannot be undone. re_anchor: assigns each Signal to its nearest map node. re_judge: asks the judge about each merge proposal that waits, those without a usable verdict again. learn: makes the workspace’s own classifier from what people said of its Signals. find_themes: which Signals likely speak of one thing. Answers at once; mode jobs shows the progress. All but re_scrub also start by themselves when they are needed.',
  effect: 'write',
  units: 10,
  role: 'member',
  audience: 'everyone',
  cannotBeUndone: 'What a job has done stays done. End it with service_support mode cancel_job.',
  input: Type.Object({
    job_kind: oneOf(['replay', ...REPEATED_WORK], {
      description: 'Which kind of job. A replay has a mode of its own.',
    }),
  }),
  output: JobShape,
  prepare: async ({ job_kind }, { services: { embedder } }) => {
    const kind = repeatable(job_kind)
    const input: Record<string, unknown> = kind === 're_judge' ? { again: true } : {}
    return { kind, input: kind === 're_embed' ? { ...input, model: embedder.model } : input }
  },
  apply: async (_input, transaction, context, { kind, input }) => {
    const id = await beginJob(transaction, context, { kind, input, total: null })
    if (id !== null) return { data: jobShape(await readJob(transaction, id)) }
    const running = await runningJob(transaction, kind)
    throw new AssayError(
      'conflict',
      `A job ${kind} is running in this workspace already; nothing was started. service_support mode jobs shows how far it is, mode cancel_job ends it.`,
      { context: { id: running?.id ?? null } },
    )
  },
})
