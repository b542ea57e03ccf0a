import { AssayError } from '../../../infra/runtime/errors.ts'
import { openEmpty, removeImported } from '../../../model/transfers/workspace/whole-import.ts'
import { classifyThrown } from '../../framework/thrown.ts'
import type { JobSlice, SliceResult } from '../job-kind.ts'
import type { InWorkspace } from '../transfer-file.ts'

const MAX_AT_ONCE = 1000

const CANCEL = `
  update jobs set state = 'cancelled', message = null, finished_at = now(), updated_at = now(), leased_until = null, lease_id = null
  where id = $1 and state = 'running'`

/**
 * Removes the next rows of an import that came to nothing. With the last of them the workspace opens, empty as it was, and the job ends: cancelled,
 * or with why it failed. What cannot be removed is tried again and never left: the workspace stays closed meanwhile.
 */
export const removeAgain = async (
  asTransfer: InWorkspace,
  { workspaceId, jobId }: JobSlice,
  cursor: { readonly why: string | null },
): Promise<SliceResult> => {
  const removed = await asTransfer(async transaction => {
    const rows = await removeImported(transaction, workspaceId, MAX_AT_ONCE)
    if (rows === 0) await openEmpty(transaction, workspaceId, jobId)
    if (rows === 0 && cursor.why === null) await transaction.query(CANCEL, [jobId])
    return rows
  }).catch(error => {
    const { message } = classifyThrown(error)
    throw new AssayError('unavailable', `What was written of the import cannot be removed yet: ${message}`, {
      cause: error,
    })
  })
  if (removed > 0 || cursor.why === null) return { cursor, done: 0, failed: 0 }
  throw new AssayError(
    'conflict',
    `${cursor.why} Nothing of the export is in the workspace. Upload it again to import it once more.`,
  )
}
