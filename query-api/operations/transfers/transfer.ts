import {
  findTransfer,
  findTransferWithJobs,
  hasFile,
  type JobAsJson,
  type Transfer,
  type TransferRow,
} from '../../../model/transfers/transfers.ts'
import type { TransferId } from '../../../schemas/domain/ids.ts'
import { FILE_ENCODINGS, TRANSFER_FORMATS } from '../../../schemas/domain/vocabulary.ts'
import { ImportReport } from '../../../schemas/transfers/reading.ts'
import { ExportHeader } from '../../../schemas/transfers/workspace-export.ts'
import { AssayError, type Static, type Transaction, Type } from '../define.ts'
import { JobShape, jobShape } from '../jobs/job.ts'
import { instant, nullable, oneOf, uuid } from '../parts/fields.ts'

/** An uploaded or exported file, with its jobs. */
export const TransferShape = Type.Object({
  id: uuid,
  direction: oneOf(['import', 'export']),
  format: oneOf(TRANSFER_FORMATS, { description: 'workspace is an export of one; the others hold Signals.' }),
  encoding: oneOf(FILE_ENCODINGS, { description: 'What the file was written in when it was uploaded.' }),
  name: Type.String({ description: 'As its file was named.' }),
  bytes: Type.Integer(),
  state: oneOf(['uploading', 'ready', 'running', 'done', 'cancelled', 'failed', 'taken_back'], {
    description:
      'Of an upload: ready to be imported. Of an import or an export: that of its job, unless somebody took it back.',
  }),
  has_file: Type.Boolean({ description: 'Whether the file is still there. It goes after an import, and after a day.' }),
  started_by: Type.String(),
  created_at: instant,
  repeats: nullable(
    Type.Integer({ description: 'Signals of an import that repeat others. Null for one of an earlier version.' }),
  ),
  report: nullable(ImportReport),
  contents: nullable(ExportHeader),
  check: nullable(JobShape),
  job: nullable(JobShape),
  arrival: nullable(
    Type.Object(
      {
        signals: Type.Integer({ description: 'Sent into the pipeline so far.' }),
        arrived: Type.Integer({ description: 'Of these, those that are through its nine steps.' }),
        dead: Type.Integer({ description: 'Of the others, those that wait as dead letters.' }),
        is_complete: Type.Boolean({ description: 'Whether all were sent, and none is on its way.' }),
      },
      { description: 'Of an import of Signals. They arrive a while after it has ended.' },
    ),
  ),
})
type TransferShape = Static<typeof TransferShape>

const stateOf = ({ complete, job, taken_back_at }: TransferRow): TransferShape['state'] => {
  if (taken_back_at !== null) return 'taken_back'
  if (job !== null) return job.state
  return complete ? 'ready' : 'uploading'
}

const fromStored = (job: JobAsJson | null): TransferShape['job'] =>
  job &&
  jobShape({
    ...job,
    created_at: new Date(job.created_at),
    updated_at: new Date(job.updated_at),
    finished_at: job.finished_at === null ? null : new Date(job.finished_at),
  })

/** State of this file's dry run: the job may alternate between several files. */
const checkOf = ({ check: job, checked, report }: TransferRow): TransferShape['check'] => {
  const check = fromStored(job)
  if (check === null) return null
  if (report !== null && 'records' in report)
    return { ...check, state: 'done', done: report.records, total: report.records, failed: report.refused }
  if (check.state !== 'running') return check
  const { records = 0, refused = 0 } = checked?.report ?? {}
  return { ...check, done: records, total: checked?.total ?? null, failed: refused }
}

const arrivalOf = ({ direction, format, job, brought: signals, ...row }: TransferRow): TransferShape['arrival'] => {
  if (direction === 'export' || format === 'workspace' || job === null) return null
  const { arrived, dead, arrived_at } = row
  return { signals, arrived, dead, is_complete: arrived_at !== null }
}

export const transferShape = (row: TransferRow): TransferShape => {
  const { report, format, encoding } = row
  return {
    id: row.id,
    direction: row.direction,
    format,
    encoding,
    name: row.name,
    bytes: row.bytes,
    state: stateOf(row),
    has_file: row.has_file,
    started_by: row.started_by,
    created_at: row.created_at.toISOString(),
    repeats: row.repeats,
    report: report !== null && 'records' in report ? report : null,
    contents: report !== null && 'assay_export' in report ? report : null,
    check: checkOf(row),
    job: fromStored(row.job),
    arrival: arrivalOf(row),
  }
}

const missing = (id: string): AssayError =>
  new AssayError(
    'not_found',
    `No import or export of this workspace is ${id}. list_transfers lists those that there are.`,
  )

/** The transfer as operations show it. Throws `not_found` for another workspace's. */
export const readTransfer = async (transaction: Transaction, id: string): Promise<TransferRow> => {
  const row = await findTransferWithJobs(transaction, id)
  if (row === undefined) throw missing(id)
  return row
}

/** A complete upload that is not imported yet. Throws `not_found`, or `conflict` for any other upload. */
export const readyImport = async (transaction: Transaction, id: string): Promise<Transfer> => {
  // The input's schema has checked the uuid.
  const transfer = await findTransfer(transaction, id as TransferId)
  if (transfer === undefined || transfer.direction !== 'import') throw missing(id)
  if (transfer.job_id !== null) {
    throw new AssayError(
      'conflict',
      'This file has been imported already, or is being imported. Upload it again to import it once more.',
    )
  }
  if (transfer.complete && (await hasFile(transaction, id))) return transfer
  throw new AssayError('conflict', 'The file is not there: it is on its way, or more than a day old. Upload it again.')
}

/** A finished import of signals, with any result. Throws `not_found`, or `conflict` for any other transfer. */
export const importedSignals = async (transaction: Transaction, id: string): Promise<TransferRow> => {
  const transfer = await readTransfer(transaction, id)
  const isImport = transfer.direction === 'import' && transfer.format !== 'workspace'
  if (isImport && transfer.job !== null && transfer.job.state !== 'running') return transfer
  throw new AssayError(
    'conflict',
    isImport
      ? 'Only an import that has ended is taken back: wait for its end, or cancel it with cancel_job.'
      : 'Only an import of Signals is taken back. An imported workspace is deleted as a whole.',
  )
}
