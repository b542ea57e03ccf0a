import { Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { insertErasure, listErasures, type Sought } from '../../../model/erasures/erasures.ts'
import { runningJob } from '../../../model/jobs/jobs.ts'
import { nameOfWorkspace } from '../../../model/workspaces/workspaces.ts'
import { newId } from '../../../schemas/domain/ids.ts'
import type { WriteContext } from '../define.ts'
import { beginJob } from '../jobs/begin-job.ts'
import { erasureShape } from './erasure-shape.ts'

export const confirmation = Type.String({
  description: 'The workspace’s name: what is erased is gone for good, so whoever asks for it writes it out.',
})

/** Throws `invalid_input` unless the workspace's name was written out. */
export const requireConfirmation = async (
  transaction: Transaction,
  { caller }: WriteContext,
  written: string,
): Promise<void> => {
  const name = await nameOfWorkspace(transaction, caller.workspaceId)
  if (name !== null && written.trim() === name.trim()) return
  throw new AssayError('invalid_input', 'This is not the name of the workspace. Nothing was erased.', {
    violations: [{ pointer: '/confirm', message: 'must be the name of the workspace' }],
  })
}

/** Files that are read or written meanwhile would have what is to go. */
const BESIDE = ['import', 'check_import', 'export'] as const

/** Starts an erasure. Rejects with `conflict` while another one, an import or an export is under way in the workspace. */
export const beginErasure = async (transaction: Transaction, context: WriteContext, sought: Sought, label: string) => {
  const { caller, services } = context
  for (const kind of BESIDE) {
    const running = await runningJob(transaction, kind)
    if (running === undefined) continue
    throw new AssayError('conflict', 'An import or export is under way here: wait for its end. Nothing was erased.', {
      context: { id: running.id },
    })
  }
  const id = newId()
  const jobId = await beginJob(transaction, context, { kind: 'erase', input: { erasure_id: id }, total: null })
  if (jobId === null) {
    throw new AssayError('conflict', 'Something is being erased here already: wait for its end. Nothing was started.')
  }
  const sealed = services.seal(JSON.stringify(sought))
  const by = { id: caller.userId, name: caller.userName }
  const { workspaceId } = caller
  await insertErasure(transaction, { id, workspaceId, jobId, what: sought.what, label, sealed, by })
  const [row] = await listErasures(transaction, workspaceId, { id, limit: 1, offset: 0 })
  if (row === undefined) throw new Error('What was inserted can be read.')
  return erasureShape(row)
}
