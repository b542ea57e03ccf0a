import { Type } from 'typebox'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { writeOperation } from '../define.ts'
import { uuid } from '../parts/fields.ts'
import { JobShape, jobShape } from './job-shape.ts'
import { readJob } from './read-job.ts'

const CANCEL = `
  update jobs set state = 'cancelled', cancelled_by = $3, finished_at = $2, updated_at = $2, leased_until = null
  where id = $1 and state = 'running' returning id`

export const cancelJob = writeOperation({
  name: 'cancel_job',
  title: 'End a job before it is done',
  summary:
    'Cancels a running job. What it has done stays done; the slice under way, about a second, is finished. A job that began by itself does not begin again by itself until its cause is another one.',
  effect: 'write',
  units: 2,
  role: 'member',
  audience: 'everyone',
  input: Type.Object({ id: Type.With(uuid, { description: 'The job.' }) }),
  output: JobShape,
  apply: async ({ id }, transaction, { caller, services }) => {
    const values = [id, services.now(), caller.userName]
    const [cancelled] = await transaction.query<{ id: string }>(CANCEL, values)
    const job = await readJob(transaction, id)
    if (cancelled !== undefined) return { data: jobShape(job) }
    throw new AssayError('conflict', `The job is ${job.state} already; there is nothing to cancel.`, {
      context: { id, state: job.state },
    })
  },
})
