import type { Embedder } from '../../../infra/models/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { recordActivity } from '../../../model/activity/record-activity.ts'
import { startJobUnlessRunning } from '../../../model/jobs/start-job.ts'
import type { Place } from '../../../model/transfers/records/read-records.ts'
import type { Transfer } from '../../../model/transfers/transfer.ts'
import { beginImport, headerOf, insertRows } from '../../../model/transfers/workspace/read-export.ts'
import type { JobSlice, SliceResult } from '../job-kind.ts'
import { gone, type InWorkspace, pieceStore, type TransferDependencies } from '../transfer-file.ts'
import { nextRows } from './next-rows.ts'
import { sourceSecrets } from './source-secrets.ts'
import { toldOf } from './told-signals.ts'

const APPLIED = 'select applied from transfers where id = $1 for update'
const NOTE_APPLIED = 'update transfers set applied = $2 where id = $1'

export interface ImportWorkspaceDependencies extends TransferDependencies {
  readonly embedder: Pick<Embedder, 'model'>
}

/**
 * Writes the next lines of an export into the tables, and what the activity tells of their signals. How many are written is kept with them in
 * their transaction, so that a slice that is done again writes none twice. At the end the texts get vectors, and are anchored by them.
 */
export const importWorkspace = async (
  dependencies: ImportWorkspaceDependencies,
  inside: InWorkspace,
  { workspaceId }: JobSlice,
  transfer: Transfer,
  from: Place,
): Promise<SliceResult> => {
  const header = headerOf(transfer.report)
  if (header === null) throw new AssayError('invalid_input', 'The file is no export of a workspace.')
  const total = header.tables.reduce((sum, { rows }) => sum + rows, 0)
  const { parts, rows, next } = await nextRows(pieceStore(dependencies, inside), transfer.id, from)
  const isEnd = next.byte >= transfer.bytes
  if (!isEnd && next.byte === from.byte) throw gone()
  const complete = sourceSecrets(dependencies.sealer)
  await dependencies.database.transaction({ role: 'assay_transfer', workspaceId }, async transaction => {
    const [kept] = await transaction.query<{ applied: number }>(APPLIED, [transfer.id])
    const applied = kept?.applied ?? 0
    if (applied === 0) await beginImport(transaction, workspaceId)
    for (const { table, first, rows: all } of parts) {
      const missing = all.slice(Math.max(0, applied + 1 - first))
      const written = await insertRows(transaction, workspaceId, { table, rows: missing }, complete)
      await recordActivity(transaction, toldOf(workspaceId, table, written))
    }
    // The lines before the next one, without the first and the last of the file.
    await transaction.query(NOTE_APPLIED, [transfer.id, Math.max(applied, Math.min(total, next.line - 2))])
  })
  if (isEnd) {
    const { model } = dependencies.embedder
    const job = {
      workspaceId,
      kind: 're_embed',
      input: { model },
      total: null,
      startedBy: transfer.started_by,
    } as const
    await inside(transaction => startJobUnlessRunning(transaction, job))
  }
  return { cursor: isEnd ? null : { ...next, records: 0 }, done: rows, failed: 0, total }
}
