import { Compile } from 'typebox/compile'
import type { Transaction } from '../../../infra/postgres/port.ts'
import type { JobId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import { visibleJson } from '../../../schemas/domain/visible-text.ts'
import { ExportHeader } from '../../../schemas/transfers/workspace-export.ts'
import { exportedColumns, maskedRow, maskOf, type Row } from './exported-rows.ts'
import { HANG_ON_CLAIMS, withLivingClaims } from './living-claims.ts'
import { newerVersion } from './rules.ts'
import { EXPORTED_TABLES, TABLES_MADE_FROM_ROWS } from './tables.ts'

const header = Compile(ExportHeader)

/** The first line of a stored export, as its upload or its job has kept it; null for what is none. */
export const headerOf = (report: unknown): ExportHeader | null => (header.Check(report) ? report : null)

/** Not what a workspace has by itself. */
const FILLED_BY_IMPORTS = EXPORTED_TABLES.map(({ table }) => table).filter(
  table => table !== 'workspaces' && table !== 'reference_counters',
)
const HAS = `select ${FILLED_BY_IMPORTS.map(table => `exists (select from ${table}) as ${table}`).join(', ')}`

/** The tables that have something of the transaction’s workspace: empty where an export can be imported. */
export const filledTables = async (transaction: Transaction): Promise<readonly string[]> => {
  const [found = {}] = await transaction.query<Readonly<Record<string, boolean>>>(HAS)
  return Object.entries(found).flatMap(([table, has]) => (has ? [table] : []))
}

/** Rows of one table, as their lines have them. */
interface TableRows {
  readonly table: string
  readonly rows: readonly Row[]
}

/** What a table needs that no export has; answers the columns with their values for a row. */
export type CompleteRow = (table: string, row: Row) => Row

/**
 * Rows of one table as a workspace gets them: with its own ids and without what nobody sees. Needs the role
 * `assay_transfer`.
 */
export const rowsFor = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  { table, rows }: TableRows,
  complete: CompleteRow,
): Promise<readonly Row[]> => {
  const known = EXPORTED_TABLES.find(each => each.table === table)
  if (known === undefined) throw newerVersion(`It holds the table ${table}.`)
  const columns = await exportedColumns(transaction, known)
  const mask = maskOf(workspaceId)
  const written = rows.map(row => visibleJson({ ...maskedRow(row, columns, mask), ...complete(table, row) }))
  // All rows of a table have the same columns: what is not among them gets its default.
  const names = Object.keys(written[0] ?? {})
  const allowed = new Set([...columns.map(({ name }) => name), ...Object.keys(complete(table, rows[0] ?? {}))])
  const stranger = names.find(name => !allowed.has(name))
  if (stranger !== undefined) throw newerVersion(`It holds the column ${stranger} of ${table}.`)
  return written
}

/** Writes rows of one table into a workspace. Needs the role `assay_transfer`. */
export const insertRows = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  part: TableRows,
  complete: CompleteRow,
): Promise<void> => {
  const rows = await rowsFor(transaction, workspaceId, part, complete)
  const written = await withLivingClaims(transaction, part.table, rows)
  const names = Object.keys(written[0] ?? {})
  const values = [JSON.stringify(written), workspaceId]
  if (names.length > 0) await transaction.query(statementFor(part.table, names), values)
}

/** `names` are columns of the table, checked to be. */
const statementFor = (table: string, names: readonly string[]): string => {
  const list = names.join(', ')
  return table === 'workspaces'
    ? `update workspaces set (${list}) = row(${names.map(name => `given.${name}`).join(', ')})
       from jsonb_populate_recordset(null::workspaces, $1::jsonb) as given where workspaces.id = $2`
    : `insert into ${table} (workspace_id, ${list})
       select $2::uuid, ${list} from jsonb_populate_recordset(null::${table}, $1::jsonb)
       ${HANG_ON_CLAIMS.has(table) ? 'on conflict do nothing' : ''}`
}

// All of it in transactions of `assay_transfer`: to every other role of people's the workspace is closed from the first
// to the last of them.

const CLOSE = `
  update workspaces set import_job_id = $2, id_mask = $3 where id = $1 and import_job_id is null`
const HOLD = `select id from workspaces where id = $1 and import_job_id = $2 for update`
const OPEN = `update workspaces set import_job_id = null where id = $1 and import_job_id = $2`
/** The edge knows no source of a closed workspace; it looks for those that changed. */
const SHOW_SOURCES = `update sources set changed_at = now() where workspace_id = $1`
const FORGET_MASK = `update workspaces set id_mask = 0 where id = $1`
const REMOVE = `select remove_rows_of($1, $2::text[]::regclass[], $3)::integer as removed`

/**
 * Closes a workspace until an export is in it: its ids differ from the export's by the mask from then on. Done again,
 * it changes nothing.
 */
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

/**
 * Removes up to `most` rows of what an import wrote, and of what became of them; answers how many. 0: there are none.
 */
export const removeImported = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  most: number,
): Promise<number> => {
  const [row] = await transaction.query<{ removed: number }>(REMOVE, [workspaceId, FILLED, most])
  return row?.removed ?? 0
}
