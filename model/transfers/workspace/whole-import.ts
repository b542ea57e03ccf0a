import type { Transaction } from '../../../infra/postgres/port.ts'
import type { JobId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import { maskOf } from './mask.ts'
import { EXPORTED_TABLES, TABLES_MADE_FROM_ROWS } from './tables.ts'

// All of it in transactions of `assay_transfer`: to every other role of people's the workspace is closed from the first to the last of them.

const CLOSE = `
  update workspaces set import_job_id = $2, id_mask = $3 where id = $1 and import_job_id is null`
const HOLD = `select id from workspaces where id = $1 and import_job_id = $2 for update`
const OPEN = `update workspaces set import_job_id = null where id = $1 and import_job_id = $2`
/** The edge knows no source of a closed workspace; it looks for those that changed. */
const SHOW_SOURCES = `update sources set changed_at = now() where workspace_id = $1`
const FORGET_MASK = `update workspaces set id_mask = 0 where id = $1`
const REMOVE = `select remove_rows_of($1, $2::text[]::regclass[], $3)::integer as removed`

/** Closes a workspace until an export is in it: its ids differ from the export's by the mask from then on. Done again, it changes nothing. */
export const closeForImport = async (transaction: Transaction, workspaceId: WorkspaceId, job: JobId): Promise<void> => {
  await transaction.query(CLOSE, [workspaceId, job, maskOf(workspaceId)])
}

/** Whether the workspace is closed for this job's import; held until the transaction ends. */
export const isClosedFor = async (transaction: Transaction, workspaceId: WorkspaceId, job: JobId): Promise<boolean> =>
  (await transaction.query(HOLD, [workspaceId, job])).length > 0

/** Opens a workspace in which all of an export is. */
export const openWhole = async (transaction: Transaction, workspaceId: WorkspaceId, job: JobId): Promise<void> => {
  await transaction.query(OPEN, [workspaceId, job])
  await transaction.query(SHOW_SOURCES, [workspaceId])
}

/** Opens a workspace in which nothing of an export is. */
export const openEmpty = async (transaction: Transaction, workspaceId: WorkspaceId, job: JobId): Promise<void> => {
  await transaction.query(OPEN, [workspaceId, job])
  await transaction.query(FORGET_MASK, [workspaceId])
}

const FILLED = [...EXPORTED_TABLES.map(({ table }) => table), ...TABLES_MADE_FROM_ROWS].filter(
  table => table !== 'workspaces',
)

/** Removes up to `most` rows of what an import wrote, and of what became of them; answers how many. 0: there are none. */
export const removeImported = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  most: number,
): Promise<number> => {
  const [row] = await transaction.query<{ removed: number }>(REMOVE, [workspaceId, FILLED, most])
  return row?.removed ?? 0
}
