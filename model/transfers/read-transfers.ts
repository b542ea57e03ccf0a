import type { Transaction } from '../../infra/postgres/port.ts'
import type { ImportReport } from '../../schemas/transfers/reading.ts'
import type { ExportHeader } from '../../schemas/transfers/workspace-export.ts'
import { JOB_COLUMNS, type JobRow } from '../jobs/read-jobs.ts'
import type { Transfer } from './transfer.ts'

/** A transfer with its jobs. */
export interface TransferRow
  extends Pick<Transfer, 'id' | 'direction' | 'format' | 'name' | 'complete' | 'bytes' | 'started_by' | 'created_at'> {
  /** Whether the file is still there. */
  readonly has_file: boolean
  /** Written by the dry run, the upload of an export, or the job that makes one. */
  readonly report: ImportReport | ExportHeader | null
  readonly check: JobAsJson | null
  readonly job: JobAsJson | null
}

/** A job as PostgreSQL writes it as JSON: times as text. */
export type JobAsJson = Omit<JobRow, 'created_at' | 'updated_at' | 'finished_at'> & {
  readonly created_at: string
  readonly updated_at: string
  readonly finished_at: string | null
}

const jobOf = (id: string): string =>
  `(select to_jsonb(job) from (select ${JOB_COLUMNS} from jobs where jobs.id = transfers.${id}) as job)`

const TRANSFERS = `
  select id, direction, format, name, complete, bytes, started_by, created_at, report,
    exists (select from transfer_pieces where transfer_id = transfers.id) as has_file,
    ${jobOf('check_job_id')} as check, ${jobOf('job_id')} as job
  from transfers`

const BY_ID = `${TRANSFERS} where id = $1`

/** The transfer of the transaction's workspace; undefined for any other. */
export const findTransferWithJobs = async (transaction: Transaction, id: string): Promise<TransferRow | undefined> =>
  (await transaction.query<TransferRow>(BY_ID, [id]))[0]

const UNTIL = '$1::timestamptz is null or created_at <= $1'
const PAGE = `${TRANSFERS} where ${UNTIL} order by created_at desc, id desc limit $2 offset $3`
const COUNT = `select count(*)::integer as count from transfers where ${UNTIL}`

/** A page of the transfers that there were by `until`, or of all; the newest first. */
export const listTransfers = (
  transaction: Transaction,
  until: Date | null,
  page: { readonly limit: number; readonly offset: number },
): Promise<TransferRow[]> => transaction.query<TransferRow>(PAGE, [until, page.limit, page.offset])

export const countTransfers = async (transaction: Transaction, until: Date | null): Promise<number> =>
  (await transaction.query<{ count: number }>(COUNT, [until]))[0]?.count ?? 0

const IS_STORED = 'select exists (select from transfer_pieces where transfer_id = $1) as stored'

/** Whether anything of the file is there. */
export const hasFile = async (transaction: Transaction, id: string): Promise<boolean> =>
  (await transaction.query<{ stored: boolean }>(IS_STORED, [id]))[0]?.stored === true
