import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { requireRoom } from '../../../model/quotas/require-room.ts'
import type { Transfer } from '../../../model/transfers/transfer.ts'
import { filledTables, headerOf } from '../../../model/transfers/workspace/read-export.ts'
import { ImportReport } from '../../../schemas/transfers/reading.ts'
import { type WriteContext, writeOperation } from '../define.ts'
import { beginJob } from '../jobs/begin-job.ts'
import { uuid } from '../parts/fields.ts'
import { readTransfer, readyImport } from './find-transfer.ts'
import { TransferShape, transferShape } from './transfer-shape.ts'

const START = `update transfers set job_id = $2, applied = $3 where id = $1`

const importReport = Compile(ImportReport)

export const startImport = writeOperation({
  name: 'start_import',
  title: 'Import an uploaded file',
  summary:
    'Starts the import of an uploaded file. Signals, as the dry run has read them, go through the pipeline’s bulk lane like any other Signal. An export goes into a workspace that is empty, which is then the same as the one that it is of; this is an owner’s to do. It can be left and come back to, and cancel_job ends it: what was done stays. The file is deleted when it is over.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'people',
  input: Type.Object({ id: uuid }),
  output: TransferShape,
  apply: async ({ id }, transaction, context) => {
    const { caller } = context
    const transfer = await readyImport(transaction, id)
    const { total, applied } =
      transfer.format === 'workspace'
        ? await workspaceToImport(transaction, transfer, context)
        : { total: signalsToImport(transfer), applied: 0 }
    const input = { transfer_id: id, tenant_id: caller.tenantId }
    const job = await beginJob(transaction, context, { kind: 'import', input, total })
    if (job === null) {
      throw new AssayError(
        'conflict',
        'Another file is being imported into this workspace. Wait for it, or cancel it; nothing was started.',
      )
    }
    await transaction.query(START, [id, job, applied])
    return { data: transferShape(await readTransfer(transaction, id)) }
  },
})

/** How many records there are. Throws `conflict` before a dry run, and when that accepted nothing. */
const signalsToImport = ({ report }: Transfer): number => {
  if (!importReport.Check(report)) {
    throw new AssayError(
      'conflict',
      'Try the import first: check_import reads the whole file and says what would come of it.',
    )
  }
  if (report.accepted > 0) return report.records
  throw new AssayError('conflict', 'The dry run accepted no line of the file; there is nothing to import.')
}

// The same export, of which an import before this one came so far.
const BEGUN = `
  select applied from transfers join jobs on jobs.id = transfers.job_id
  where direction = 'import' and format = 'workspace' and applied > 0 and bytes = $1 and report = $2::jsonb and jobs.state <> 'running'
  order by applied desc limit 1`

const workspaceToImport = async (
  transaction: Transaction,
  { bytes, report }: Transfer,
  { caller, services }: WriteContext,
) => {
  if (caller.role !== 'owner') {
    throw new AssayError('forbidden', `Importing an export needs the role owner; yours is ${caller.role}.`)
  }
  const tables = headerOf(report)?.tables ?? []
  const total = tables.reduce((sum, { rows }) => sum + rows, 0)
  const [begun] = await transaction.query<{ applied: number }>(BEGUN, [bytes, JSON.stringify(report)])
  if (begun !== undefined && begun.applied < total) return { total, applied: begun.applied }
  // Those that were deleted count as well: an export names them, and the edge would load them.
  const sources = tables.find(({ table }) => table === 'sources')?.rows ?? 0
  if (sources > 0) await requireRoom(transaction, services.quotas, 'sources', caller.workspaceId, sources)
  const filled = await filledTables(transaction)
  if (filled.length === 0) return { total, applied: 0 }
  throw new AssayError(
    'conflict',
    `An export goes into an empty workspace, and this one has ${filled.map(table => table.replaceAll('_', ' ')).join(', ')}. Make a workspace and import it there.`,
    { context: { filled } },
  )
}
