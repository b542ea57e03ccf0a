import { cancelJob as cancel } from '../../../model/jobs/jobs.ts'
import { AssayError, Type, writeOperation } from '../define.ts'
import { uuid } from '../parts/fields.ts'
import { JobShape, jobShape, readJob } from './job.ts'

export const cancelJob = writeOperation({
  name: 'cancel_job',
  title: 'End a job before it is done',
  summary:
    'Cancels a running job. What it has done stays done; the slice under way, about a second, is finished. Of an export that is being imported all is removed again first. A job that began by itself does not begin again by itself until its cause is another one.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  cannotBeUndone: 'Start the work again with service_support mode start_job or replay.',
  allowedDuringImport: true,
  input: Type.Object({ id: Type.With(uuid, { description: 'The job.' }) }),
  output: JobShape,
  apply: async ({ id }, transaction, { caller, services }) => {
    if ((await readJob(transaction, id)).kind === 'erase') {
      throw new AssayError(
        'conflict',
        'An erasure is not cancelled: half of it would be gone, and nobody would know which half.',
      )
    }
    const cancelled = await cancel(transaction, id, caller.userName, services.now())
    const job = await readJob(transaction, id)
    if (cancelled) return { data: jobShape(job) }
    const why = job.state === 'running' ? 'has done what it is for' : `is ${job.state}`
    throw new AssayError('conflict', `The job ${why} already; there is nothing to cancel.`, {
      context: { id, state: job.state },
    })
  },
})
