import { cancelCheck, deleteTransfer } from '../../../model/transfers/transfers.ts'
import { AssayError, Type, writeOperation } from '../define.ts'
import { uuid } from '../parts/fields.ts'
import { readTransfer } from './transfer.ts'

export const discardTransfer = writeOperation({
  name: 'discard_transfer',
  title: 'Delete an uploaded file or an export',
  summary:
    'Deletes a file at once, and its entry in the list: an upload that is not wanted after all, an export that was taken, or the record of an import. What was imported stays.',
  effect: 'destructive',
  units: 2,
  role: 'member',
  audience: 'people',
  cannotBeUndone: 'The file is deleted. Upload it again.',
  input: Type.Object({ id: uuid }),
  output: Type.Object({ ok: Type.Boolean() }),
  apply: async ({ id }, transaction, { caller, services }) => {
    const { direction, job } = await readTransfer(transaction, id)
    if (direction === 'export' && caller.role !== 'owner') {
      throw new AssayError('forbidden', 'Exports are an owner’s to delete.')
    }
    if (job?.state === 'running') {
      throw new AssayError('conflict', 'Its job is running: cancel it first with cancel_job.', {
        context: { id: job.id },
      })
    }
    await cancelCheck(transaction, id, services.now())
    await deleteTransfer(transaction, id)
    return { data: { ok: true } }
  },
})
