import { addCounts } from '../../../model/erasures/erasures.ts'
import { findEdits, forgetEdits, handOnEdits } from '../../../model/transfers/signals/imported-edits.ts'
import { editContents } from '../import/edit-rows.ts'
import { DONE, type Erasing, type PhaseResult } from './phase.ts'

const EDITS_READ = 100

/**
 * Restores the earlier text of signals that an import edited, where nothing has changed them since. The transaction
 * that restores a signal also deletes its edit, so a repeated slice does not find it again.
 */
export const edits = async (erasing: Erasing, after: string | null): Promise<PhaseResult> => {
  const { id, workspaceId, sought, dependencies, inside } = erasing
  if (sought.what !== 'import') return DONE
  const { transferId } = sought
  const page = await inside(transaction => findEdits(transaction, transferId, after, EDITS_READ))
  const contents = page.flatMap(({ signal_id: id, was: { titles = {}, ...was }, stands }) =>
    stands ? [{ id, content: { ...was, metadata: JSON.stringify(was.metadata) }, titles }] : [],
  )
  const written = await editContents(dependencies, workspaceId, contents, (transaction, _place, put) =>
    forgetEdits(
      transaction,
      transferId,
      put.map(row => row.id),
    ),
  )
  const left = page.map(({ signal_id }) => signal_id).filter(each => !written.has(each))
  await inside(async transaction => {
    await handOnEdits(transaction, transferId, left)
    await addCounts(transaction, id, { imported_edits: written.size })
  })
  return { after: page.length < EDITS_READ ? null : (page.at(-1)?.signal_id ?? null), done: written.size }
}
