import { listErasures, setErasureJob } from '../../../model/erasures/erasures.ts'
import { AssayError, Type, writeOperation } from '../define.ts'
import { beginJob } from '../jobs/job.ts'
import { uuid } from '../parts/fields.ts'
import { ErasureShape, erasureShape } from './erasure.ts'

export const resumeErasure = writeOperation({
  name: 'resume_erasure',
  title: 'Go on with an erasure that failed',
  summary:
    'Starts the job of an erasure again that ended before it was done. What it has erased stays erased and counted.',
  effect: 'write',
  units: 10,
  role: 'owner',
  audience: 'people',
  cannotBeUndone: 'What was erased is nowhere any more.',
  input: Type.Object({ id: Type.With(uuid, { description: 'The erasure.' }) }),
  output: ErasureShape,
  apply: async ({ id }, transaction, context) => {
    const { workspaceId } = context.caller
    const read = async () => (await listErasures(transaction, workspaceId, { id, limit: 1, offset: 0 }))[0]
    const erasure = await read()
    if (erasure === undefined) throw new AssayError('not_found', 'There is no such erasure here.')
    if (erasure.finished_at !== null) throw new AssayError('conflict', 'This erasure is done already.')
    const jobId = await beginJob(transaction, context, { kind: 'erase', input: { erasure_id: id }, total: null })
    if (jobId === null) throw new AssayError('conflict', 'Something is being erased here: wait for its end.')
    await setErasureJob(transaction, id, jobId)
    const resumed = await read()
    if (resumed === undefined) throw new Error('An erasure does not go away.')
    return { data: erasureShape(resumed) }
  },
})
