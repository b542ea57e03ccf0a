import { recordActivity } from '../../../model/activity/record-activity.ts'
import type { FilePosition } from '../../../model/transfers/records/read-records.ts'
import type { Transfer } from '../../../model/transfers/transfer.ts'
import { rowsFor } from '../../../model/transfers/workspace/read-export.ts'
import type { JobSlice } from '../job-kind.ts'
import { fileDeleted, type InWorkspace, pieceStore, type TransferDependencies } from '../transfer-file.ts'
import { importedActivity, isReported } from './imported-activity.ts'
import { nextRows } from './next-rows.ts'

const AS_THEY_ARE = () => ({})

/**
 * Tells the activity of the next Signals and repeats of an export that is in the workspace. Answers where to go on; null at its end. Events have ids
 * made of the Signals', so a slice that is done again tells nothing twice.
 */
export const tellSignals = async (
  dependencies: TransferDependencies,
  inside: InWorkspace,
  asTransfer: InWorkspace,
  { workspaceId }: JobSlice,
  transfer: Transfer,
  from: FilePosition,
): Promise<FilePosition | null> => {
  const { parts, next } = await nextRows(pieceStore(dependencies, inside), transfer.id, from)
  const isEnd = next.byte >= transfer.bytes
  if (!isEnd && next.byte === from.byte) throw fileDeleted()
  const told = parts.filter(({ table }) => isReported(table))
  if (told.length > 0)
    await asTransfer(async transaction => {
      for (const part of told) {
        const rows = await rowsFor(transaction, workspaceId, part, AS_THEY_ARE)
        await recordActivity(transaction, importedActivity(workspaceId, part.table, rows))
      }
    })
  return isEnd ? null : next
}
