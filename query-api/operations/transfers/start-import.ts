import { Compile } from 'typebox/compile'
import { QUOTAS, type QuotaName } from '../../../model/quotas/quotas.ts'
import { requireQuota } from '../../../model/quotas/require-quota.ts'
import { setTransferJob, type Transfer } from '../../../model/transfers/transfers.ts'
import { filledTables, headerOf } from '../../../model/transfers/workspace/fill-workspace.ts'
import { ImportReport } from '../../../schemas/transfers/reading.ts'
import { AssayError, type Transaction, Type, type WriteContext, writeOperation } from '../define.ts'
import { beginJob } from '../jobs/job.ts'
import { uuid } from '../parts/fields.ts'
import { readTransfer, readyImport, TransferShape, transferShape } from './transfer.ts'

const importReport = Compile(ImportReport)

export const startImport = writeOperation({
  name: 'start_import',
  title: 'Import an uploaded file',
  summary:
    'Starts the import of an uploaded file. Signals, as the dry run has read them, go through the pipeline’s bulk lane like any other Signal. An export goes into a workspace that is empty, which is then the same as the one that it is of; this is an owner’s to do, and nobody enters the workspace until all of it is there. It can be left and come back to, and cancel_job ends it: Signals that were sent stay, of an export nothing stays. The file is deleted when it is over.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'people',
  cannotBeUndone: 'A job imports the file. Cancel it under Run → Import & export.',
  input: Type.Object({ id: uuid }),
  output: TransferShape,
  apply: async ({ id }, transaction, context) => {
    const { caller } = context
    const transfer = await readyImport(transaction, id)
    const total =
      transfer.format === 'workspace'
        ? await workspaceToImport(transaction, transfer, context)
        : signalsToImport(transfer)
    const input = { transfer_id: id, tenant_id: caller.tenantId }
    const job = await beginJob(transaction, context, { kind: 'import', input, total })
    if (job === null) {
      throw new AssayError(
        'conflict',
        'Another file is being imported into this workspace. Wait for it, or cancel it; nothing was started.',
      )
    }
    await setTransferJob(transaction, id, job)
    return { data: transferShape(await readTransfer(transaction, id)) }
  },
})

/** Number of records. Throws `conflict` before a dry run, and after one that accepted nothing. */
const signalsToImport = ({ report }: Transfer): number => {
  if (!importReport.Check(report)) {
    throw new AssayError(
      'conflict',
      'Try the import first: check_import reads the whole file and says what would come of it.',
    )
  }
  if (report.accepted > report.known || report.changed > 0) return report.records
  throw new AssayError(
    'conflict',
    report.accepted === 0
      ? 'The dry run accepted no line of the file; there is nothing to import.'
      : 'All rows of the file are here already; there is nothing to import.',
  )
}

const workspaceToImport = async (
  transaction: Transaction,
  { report }: Transfer,
  { caller, services }: WriteContext,
): Promise<number> => {
  if (caller.role !== 'owner') {
    throw new AssayError('forbidden', `Importing an export needs the role owner; yours is ${caller.role}.`)
  }
  const tables = headerOf(report)?.tables ?? []
  const total = tables.reduce((sum, { rows }) => sum + rows, 0)
  for (const [name, quota] of Object.entries(QUOTAS)) {
    if (!('table' in quota)) continue
    const importedRows = tables.find(({ table }) => table === quota.table)?.rows ?? 0
    // The names are the object's keys.
    if (importedRows > 0)
      await requireQuota(transaction, services.quotas, name as QuotaName, caller.workspaceId, importedRows)
  }
  const filled = await filledTables(transaction)
  if (filled.length === 0) return total
  throw new AssayError(
    'conflict',
    `An export goes into an empty workspace, and this one has ${filled.map(table => table.replaceAll('_', ' ')).join(', ')}. Make a workspace and import it there.`,
    { context: { filled } },
  )
}
