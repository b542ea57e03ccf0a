import type { Transaction } from '../../infra/postgres/port.ts'
import type { JobId, TransferId, UserId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { FileEncoding, TransferFormat } from '../../schemas/domain/vocabulary.ts'
import type { ImportReport } from '../../schemas/transfers/reading.ts'
import type { ExportHeader } from '../../schemas/transfers/workspace-export.ts'
import { JOB_COLUMNS, type JobRow } from '../jobs/jobs.ts'
import type { Arrival } from './arrivals.ts'

/** An uploaded file, or one that is made for a download. */
export interface Transfer {
  readonly id: TransferId
  readonly workspace_id: WorkspaceId
  readonly direction: 'import' | 'export'
  readonly format: TransferFormat
  /** Encoding of the upload. The file is stored as UTF-8. */
  readonly encoding: FileEncoding
  readonly name: string
  readonly complete: boolean
  readonly bytes: number
  /** In the shape of the format. Read it defensively. */
  readonly reading: unknown
  readonly report: unknown
  readonly check_job_id: JobId | null
  readonly job_id: JobId | null
  readonly applied: number
  /** Time at which somebody took the import back. */
  readonly taken_back_at: Date | null
  readonly started_by: string
  readonly created_at: Date
}

const SELECT = `
  select id, workspace_id, direction, format, encoding, name, complete, bytes, reading, report, check_job_id, job_id, applied, taken_back_at, started_by,
    created_at
  from transfers`
const FIND = `${SELECT} where id = $1`

/** The transfer of the transaction's workspace; undefined outside of it. */
export const findTransfer = async (transaction: Transaction, id: TransferId): Promise<Transfer | undefined> =>
  (await transaction.query<Transfer>(FIND, [id]))[0]

const BEING_CHECKED = `${SELECT} where check_job_id = $1 and report is null order by id`

/** Files of a check job that are not finished. */
export const filesBeingChecked = (transaction: Transaction, job: JobId): Promise<readonly Transfer[]> =>
  transaction.query<Transfer>(BEING_CHECKED, [job])

const END_CHECK = 'update transfers set check_job_id = null where id = $1'

/** Removes an unreadable file from its check job, which goes on with the others. */
export const endCheck = async (transaction: Transaction, id: TransferId): Promise<void> => {
  await transaction.query(END_CHECK, [id])
}

const INSERT = `
  insert into transfers (id, workspace_id, direction, format, name, started_by, account_id)
  values ($1, $2, $3, $4, $5, $6, $7)`

interface NewTransfer extends Pick<Transfer, 'id' | 'workspace_id' | 'direction' | 'format' | 'name' | 'started_by'> {
  /** Account whose quota an upload counts for. */
  readonly account_id?: UserId
}

export const insertTransfer = async (transaction: Transaction, transfer: NewTransfer): Promise<void> => {
  const { id, workspace_id, direction, format, name, started_by, account_id } = transfer
  await transaction.query(INSERT, [id, workspace_id, direction, format, name, started_by, account_id ?? null])
}

const REPORT = `update transfers set report = $2 where id = $1`

/** Stores the findings of a dry run, or the first line of an export. */
export const storeReport = async (transaction: Transaction, id: TransferId, report: object): Promise<void> => {
  await transaction.query(REPORT, [id, JSON.stringify(report)])
}

const SET_JOB = `update transfers set job_id = $2 where id = $1`

/** Stores the job that imports or makes the file. */
export const setTransferJob = async (transaction: Transaction, id: string, job: JobId): Promise<void> => {
  await transaction.query(SET_JOB, [id, job])
}

const FORGET_TEXTS = `delete from transfer_texts where transfer_id = $1`

/** Deletes the text hashes of an earlier dry run. */
export const forgetTexts = async (transaction: Transaction, id: string): Promise<void> => {
  await transaction.query(FORGET_TEXTS, [id])
}

// A new reading makes an earlier report void.
const SET_CHECK = `update transfers set reading = $2, report = null, check_job_id = $3 where id = $1`

/** Stores the file's reading and its check job. */
export const setTransferCheck = async (
  transaction: Transaction,
  id: string,
  { reading, job }: { readonly reading: object; readonly job: JobId },
): Promise<void> => {
  await transaction.query(SET_CHECK, [id, JSON.stringify(reading), job])
}

const CANCEL_CHECK = `
  update jobs set state = 'cancelled', finished_at = $2, updated_at = $2, leased_until = null
  where id = (select check_job_id from transfers where id = $1) and state = 'running'
    and not exists (select from transfers where check_job_id = jobs.id and id <> $1 and report is null)`

/** Ends the dry run of a file when its job checks no other file. */
export const cancelCheck = async (transaction: Transaction, id: string, at: Date): Promise<void> => {
  await transaction.query(CANCEL_CHECK, [id, at])
}

const SET_MEGABYTES = 'update transfers set megabytes = $2 where id = $1'

/** Stores the file's part of the uploader's quota. */
export const setMegabytes = async (transaction: Transaction, id: TransferId, megabytes: number): Promise<void> => {
  await transaction.query(SET_MEGABYTES, [id, megabytes])
}

const COMPLETE = 'update transfers set complete = true, bytes = $2, report = $3, encoding = $4 where id = $1'

/** Marks an uploaded file as complete; `header` is the first line of an export. */
export const completeTransfer = async (
  transaction: Transaction,
  id: TransferId,
  { bytes, encoding, header }: Pick<Transfer, 'bytes' | 'encoding'> & { readonly header: object | null },
): Promise<void> => {
  await transaction.query(COMPLETE, [id, bytes, header === null ? null : JSON.stringify(header), encoding])
}

const TAKE_BACK = 'update transfers set taken_back_at = $2 where id = $1'

export const setTakenBack = async (transaction: Transaction, id: TransferId, at: Date): Promise<void> => {
  await transaction.query(TAKE_BACK, [id, at])
}

const DELETE = 'delete from transfers where id = $1'

/** Deletes a transfer with its file. */
export const deleteTransfer = async (transaction: Transaction, id: string): Promise<void> => {
  await transaction.query(DELETE, [id])
}

export interface TransferRow
  extends Pick<
      Transfer,
      | 'id'
      | 'direction'
      | 'format'
      | 'encoding'
      | 'name'
      | 'complete'
      | 'bytes'
      | 'taken_back_at'
      | 'started_by'
      | 'created_at'
    >,
    Arrival {
  /** Whether the file is still there. */
  readonly has_file: boolean
  /** Written by the dry run, the upload of an export, or the export's job. */
  readonly report: ImportReport | ExportHeader | null
  readonly check: JobAsJson | null
  readonly job: JobAsJson | null
  /** Progress of the dry run in this file; null before its first turn and after its end. */
  readonly checked: CheckedSoFar | null
}

/** A file's entry in the cursor of the check job. */
interface CheckedSoFar {
  readonly report: Pick<ImportReport, 'records' | 'refused'>
  readonly total: number
}

/** A job as PostgreSQL writes it in JSON: times are texts. */
export type JobAsJson = Omit<JobRow, 'created_at' | 'updated_at' | 'finished_at'> & {
  readonly created_at: string
  readonly updated_at: string
  readonly finished_at: string | null
}

const jobOf = (id: string): string =>
  `(select to_jsonb(job) from (select ${JOB_COLUMNS} from jobs where jobs.id = transfers.${id}) as job)`

const TRANSFERS = `
  select id, direction, format, encoding, name, complete, bytes, taken_back_at, started_by, created_at, report,
    brought, arrived, dead, repeats, arrived_at,
    exists (select from transfer_pieces where transfer_id = transfers.id) as has_file,
    ${jobOf('check_job_id')} as check, ${jobOf('job_id')} as job,
    (select cursor -> 'files' -> transfers.id::text from jobs where id = check_job_id) as checked
  from transfers`

const BY_ID = `${TRANSFERS} where id = $1`

/** The transfer of the transaction's workspace; undefined outside of it. */
export const findTransferWithJobs = async (transaction: Transaction, id: string): Promise<TransferRow | undefined> =>
  (await transaction.query<TransferRow>(BY_ID, [id]))[0]

const UNTIL = '$1::timestamptz is null or created_at <= $1'
const PAGE = `${TRANSFERS} where ${UNTIL} order by created_at desc, id desc limit $2 offset $3`
const COUNT = `select count(*)::integer as count from transfers where ${UNTIL}`

/** A page of transfers, optionally of those that existed at `until`; newest first. */
export const listTransfers = (
  transaction: Transaction,
  until: Date | null,
  page: { readonly limit: number; readonly offset: number },
): Promise<TransferRow[]> => transaction.query<TransferRow>(PAGE, [until, page.limit, page.offset])

export const countTransfers = async (transaction: Transaction, until: Date | null): Promise<number> =>
  (await transaction.query<{ count: number }>(COUNT, [until]))[0]?.count ?? 0

const IS_STORED = 'select exists (select from transfer_pieces where transfer_id = $1) as stored'

/** True when a part of the file is stored. */
export const hasFile = async (transaction: Transaction, id: string): Promise<boolean> =>
  (await transaction.query<{ stored: boolean }>(IS_STORED, [id]))[0]?.stored === true
