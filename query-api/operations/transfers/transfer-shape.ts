import { type Static, Type } from 'typebox'
import { TRANSFER_FORMATS } from '../../../schemas/domain/vocabulary.ts'
import { ImportReport } from '../../../schemas/transfers/reading.ts'
import { ExportHeader } from '../../../schemas/transfers/workspace-export.ts'
import { JOB_COLUMNS, type JobRow, JobShape, jobShape } from '../jobs/job-shape.ts'
import { instant, nullable, oneOf, uuid } from '../parts/fields.ts'

/** A file that was brought or made, with what was done about it. */
export const TransferShape = Type.Object({
  id: uuid,
  direction: oneOf(['import', 'export']),
  format: oneOf(TRANSFER_FORMATS, { description: 'csv and json_lines hold Signals; workspace is an export.' }),
  name: Type.String({ description: 'As its file was named.' }),
  bytes: Type.Integer(),
  state: oneOf(['uploading', 'ready', 'running', 'done', 'cancelled', 'failed'], {
    description: 'Of an upload: ready to be imported. Of an import or an export: that of its job.',
  }),
  has_file: Type.Boolean({ description: 'Whether the file is still there. It goes after an import, and after a day.' }),
  started_by: Type.String(),
  created_at: instant,
  report: nullable(ImportReport),
  contents: nullable(ExportHeader),
  check: nullable(JobShape),
  job: nullable(JobShape),
})
type TransferShape = Static<typeof TransferShape>

export interface TransferRow {
  readonly id: string
  readonly direction: TransferShape['direction']
  readonly format: TransferShape['format']
  readonly name: string
  readonly complete: boolean
  readonly bytes: number
  readonly has_file: boolean
  readonly started_by: string
  readonly created_at: Date
  /** Written by the dry run, the upload of an export, or the job that makes one. */
  readonly report: ImportReport | ExportHeader | null
  readonly check: StoredJob | null
  readonly job: StoredJob | null
}

/** A job as PostgreSQL writes it as JSON: times as text. */
type StoredJob = Omit<JobRow, 'created_at' | 'updated_at' | 'finished_at'> & {
  readonly created_at: string
  readonly updated_at: string
  readonly finished_at: string | null
}

const jobOf = (id: string): string =>
  `(select to_jsonb(job) from (select ${JOB_COLUMNS} from jobs where jobs.id = transfers.${id}) as job)`

/** The statement that answers `TransferRow`s, up to its conditions. */
export const SELECT_TRANSFERS = `
  select id, direction, format, name, complete, bytes, started_by, created_at, report,
    exists (select from transfer_pieces where transfer_id = transfers.id) as has_file,
    ${jobOf('check_job_id')} as check, ${jobOf('job_id')} as job
  from transfers`

const stateOf = ({ complete, job }: TransferRow): TransferShape['state'] => {
  if (job !== null) return job.state
  return complete ? 'ready' : 'uploading'
}

const fromStored = (job: StoredJob | null): TransferShape['job'] =>
  job &&
  jobShape({
    ...job,
    created_at: new Date(job.created_at),
    updated_at: new Date(job.updated_at),
    finished_at: job.finished_at === null ? null : new Date(job.finished_at),
  })

export const transferShape = (row: TransferRow): TransferShape => {
  const { report, format } = row
  return {
    id: row.id,
    direction: row.direction,
    format,
    name: row.name,
    bytes: row.bytes,
    state: stateOf(row),
    has_file: row.has_file,
    started_by: row.started_by,
    created_at: row.created_at.toISOString(),
    report: report !== null && 'records' in report ? report : null,
    contents: report !== null && 'assay_export' in report ? report : null,
    check: fromStored(row.check),
    job: fromStored(row.job),
  }
}
