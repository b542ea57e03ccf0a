import { yieldToEventLoop } from '../../../infra/runtime/yielding.ts'
import { PIECE_BYTES, sealPiece, storePiece } from '../../../model/transfers/pieces.ts'
import { writeExport } from '../../../model/transfers/workspace/exported-rows.ts'
import { inWorkspace } from '../in-workspace.ts'
import type { JobDefinition } from '../job-kind.ts'
import { type TransferDependencies, transferOf } from '../transfer-file.ts'

const FORGET = 'delete from transfer_pieces where transfer_id = $1'
const COMPLETE = 'update transfers set complete = true, bytes = $2, report = $3 where id = $1'
const IS_OVER = `select exists (select from jobs where id = $1 and state <> 'running') as over`

/**
 * Writes a whole workspace into a file, in one transaction and so as of one moment. PostgreSQL serves others meanwhile;
 * the embedded engine, with its single session, does not. A crash leaves nothing, and the slice starts over.
 */
export const createExportJob = (dependencies: TransferDependencies): JobDefinition => ({
  kind: 'export',
  slice: async slice => {
    const { database, sealer } = dependencies
    const { workspaceId, jobId } = slice
    const inside = inWorkspace(dependencies, workspaceId)
    const { id } = await transferOf(inside, slice)
    const rows = await database.transaction({ role: 'assay_transfer', workspaceId }, async transaction => {
      let buffered: string[] = []
      let heldLength = 0
      let stored = 0
      const store = async (): Promise<void> => {
        const bytes = Buffer.from(buffered.join(''))
        buffered = []
        heldLength = 0
        if (bytes.length > 0) await storePiece(transaction, workspaceId, id, await sealPiece(sealer, stored, bytes))
        stored += bytes.length
      }
      const written = await writeExport(transaction, workspaceId, async line => {
        await yieldToEventLoop()
        // Pieces of an earlier attempt show another moment.
        if (stored === 0 && heldLength === 0) await transaction.query(FORGET, [id])
        buffered.push(line)
        heldLength += line.length
        if (heldLength >= PIECE_BYTES) await store()
      })
      await store()
      await transaction.query(COMPLETE, [id, stored, JSON.stringify(written.header)])
      return written.rows
    })
    // A cancelled export leaves no file.
    const [job] = await inside(transaction => transaction.query<{ over: boolean }>(IS_OVER, [jobId]))
    if (job?.over) await inside(transaction => transaction.query(FORGET, [id]))
    return { cursor: null, done: rows, failed: 0, total: rows }
  },
})
