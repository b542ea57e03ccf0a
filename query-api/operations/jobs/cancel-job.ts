import { Type } from 'typebox'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { writeOperation } from '../define.ts'
import { uuid } from '../parts/fields.ts'
import { JobShape, jobShape } from './job-shape.ts'
import { readJob } from './read-job.ts'

const CANCEL = `
  update jobs set state = 'cancelled', cancelled_by = $3, finished_at = $2, updated_at = $2, leased_until = null
  where id = $1 and state = 'running' and not exists (select from workspaces where import_job_id = $1)
    and (kind <> 'import' or coalesce(cursor ->> 'phase', '') <> 'record')
  returning id`
/** The import of an export ends itself, when nothing of it is there any more. */
const ASK_TO_END = `
  update jobs set cancelled_by = $3, updated_at = $2, not_before = least(not_before, $2)
  where id = $1 and state = 'running' and exists (select from workspaces where import_job_id = $1) returning id`

export const cancelJob = writeOperation({
  name: 'cancel_job',
  title: 'End a job before it is done',
  summary:
    'Cancels a running job. What it has done stays done; the slice under way, about a second, is finished. Of an export that is being imported all is removed again first. A job that began by itself does not begin again by itself until its cause is another one.',
  effect: 'write',
  units: 2,
  role: 'member',
  audience: 'everyone',
  whileImported: true,
  input: Type.Object({ id: Type.With(uuid, { description: 'The job.' }) }),
  output: JobShape,
  apply: async ({ id }, transaction, { caller, services }) => {
    const values = [id, services.now(), caller.userName]
    const [cancelled] = [...(await transaction.query(CANCEL, values)), ...(await transaction.query(ASK_TO_END, values))]
    const job = await readJob(transaction, id)
    if (cancelled !== undefined) return { data: jobShape(job) }
    const why = job.state === 'running' ? 'has done what it is for' : `is ${job.state}`
    throw new AssayError('conflict', `The job ${why} already; there is nothing to cancel.`, {
      context: { id, state: job.state },
    })
  },
})
