import type { Transaction } from '../../infra/postgres/port.ts'
import type { JobId, TransferId, UserId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { TransferFormat } from '../../schemas/domain/vocabulary.ts'

/** A file that was brought, or is made to be taken. */
export interface Transfer {
  readonly id: TransferId
  readonly workspace_id: WorkspaceId
  readonly direction: 'import' | 'export'
  readonly format: TransferFormat
  readonly name: string
  readonly complete: boolean
  readonly bytes: number
  /** In the shape of the format: to be read defensively. */
  readonly reading: unknown
  readonly report: unknown
  readonly check_job_id: JobId | null
  readonly job_id: JobId | null
  readonly applied: number
  readonly started_by: string
  readonly created_at: Date
}

const FIND = `
  select id, workspace_id, direction, format, name, complete, bytes, reading, report, check_job_id, job_id, applied, started_by, created_at
  from transfers where id = $1`

/** The transfer of the transaction's workspace; undefined for any other. */
export const findTransfer = async (transaction: Transaction, id: TransferId): Promise<Transfer | undefined> =>
  (await transaction.query<Transfer>(FIND, [id]))[0]

const INSERT = `
  insert into transfers (id, workspace_id, direction, format, name, started_by, account_id)
  values ($1, $2, $3, $4, $5, $6, $7)`

interface NewTransfer extends Pick<Transfer, 'id' | 'workspace_id' | 'direction' | 'format' | 'name' | 'started_by'> {
  /** Of an upload: whose quota it counts for. */
  readonly account_id?: UserId
}

export const insertTransfer = async (transaction: Transaction, transfer: NewTransfer): Promise<void> => {
  const { id, workspace_id, direction, format, name, started_by, account_id } = transfer
  await transaction.query(INSERT, [id, workspace_id, direction, format, name, started_by, account_id ?? null])
}

const REPORT = `update transfers set report = $2 where id = $1`

/** Keeps what a dry run found, or the first line of an export. */
export const storeReport = async (transaction: Transaction, id: TransferId, report: object): Promise<void> => {
  await transaction.query(REPORT, [id, JSON.stringify(report)])
}
