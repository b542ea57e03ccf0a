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

/** The stored first line of an export; null when the report is none. */
export const headerOf = (report: unknown): ExportHeader | null => (header.Check(report) ? report : null)

/** Tables without rows that every workspace has. */
const FILLED_BY_IMPORTS = EXPORTED_TABLES.map(({ table }) => table).filter(
  table => table !== 'workspaces' && table !== 'reference_counters',
)
const HAS = `select ${FILLED_BY_IMPORTS.map(table => `exists (select from ${table}) as ${table}`).join(', ')}`

/** Tables with rows of the transaction's workspace; empty when an export can be imported. */
export const filledTables = async (transaction: Transaction): Promise<readonly string[]> => {
  const [found = {}] = await transaction.query<Readonly<Record<string, boolean>>>(HAS)
  return Object.entries(found).flatMap(([table, has]) => (has ? [table] : []))
}

/** Rows of one table as lines. */
interface TableRows {
  readonly table: string
  readonly rows: readonly Row[]
}

/** Columns that a table needs and no export has, with their values for a row. */
export type CompleteRow = (table: string, row: Row) => Row

/**
 * Rows of one table for a workspace: with its own ids, without invisible characters. Needs the role `assay_transfer`.
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
  // All rows of a table have the same columns; other columns get their defaults.
  const names = Object.keys(written[0] ?? {})
  const allowed = new Set([...columns.map(({ name }) => name), ...Object.keys(complete(table, rows[0] ?? {}))])
  const stranger = names.find(name => !allowed.has(name))
  if (stranger !== undefined) throw newerVersion(`It holds the column ${stranger} of ${table}.`)
  return written
}

/** Inserts rows of one table into a workspace. Needs the role `assay_transfer`. */
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

/** `names` are checked columns of the table. */
const statementFor = (table: string, names: readonly string[]): string => {
  const list = names.join(', ')
  return table === 'workspaces'
    ? `update workspaces set (${list}) = row(${names.map(name => `given.${name}`).join(', ')})
       from jsonb_populate_recordset(null::workspaces, $1::jsonb) as given where workspaces.id = $2`
    : `insert into ${table} (workspace_id, ${list})
       select $2::uuid, ${list} from jsonb_populate_recordset(null::${table}, $1::jsonb)
       ${HANG_ON_CLAIMS.has(table) ? 'on conflict do nothing' : ''}`
}

// Everything happens in transactions of `assay_transfer`: for people's other roles the workspace is closed from the
// first to the last.

const CLOSE = `
  update workspaces set import_job_id = $2, id_mask = $3 where id = $1 and import_job_id is null`
const HOLD = `select id from workspaces where id = $1 and import_job_id = $2 for update`
const OPEN = `update workspaces set import_job_id = null where id = $1 and import_job_id = $2`
/** The edge ignores sources of a closed workspace, and polls for changed ones. */
const SHOW_SOURCES = `update sources set changed_at = now() where workspace_id = $1`
const FORGET_MASK = `update workspaces set id_mask = 0 where id = $1`
const REMOVE = `select remove_rows_of($1, $2::text[]::regclass[], $3)::integer as removed`

/**
 * Closes a workspace for an import. From then on its ids differ from the export's by the mask. A repetition changes
 * nothing.
 */
export const closeForImport = async (transaction: Transaction, workspaceId: WorkspaceId, job: JobId): Promise<void> => {
  await transaction.query(CLOSE, [workspaceId, job, maskOf(workspaceId)])
}

/** True when the workspace is closed for this job's import. Locks it until the transaction ends. */
export const isClosedFor = async (transaction: Transaction, workspaceId: WorkspaceId, job: JobId): Promise<boolean> =>
  (await transaction.query(HOLD, [workspaceId, job])).length > 0

/** Opens a workspace with a complete import. */
export const openWhole = async (transaction: Transaction, workspaceId: WorkspaceId, job: JobId): Promise<void> => {
  await transaction.query(OPEN, [workspaceId, job])
  await transaction.query(SHOW_SOURCES, [workspaceId])
}

/** Opens a workspace without any row of an import. */
export const openEmpty = async (transaction: Transaction, workspaceId: WorkspaceId, job: JobId): Promise<void> => {
  await transaction.query(OPEN, [workspaceId, job])
  await transaction.query(FORGET_MASK, [workspaceId])
}

const FILLED = [...EXPORTED_TABLES.map(({ table }) => table), ...TABLES_MADE_FROM_ROWS].filter(
  table => table !== 'workspaces',
)

/** Removes up to `most` rows of an import and of what became of them. Answers their number; 0 when none is left. */
export const removeImported = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  most: number,
): Promise<number> => {
  const [row] = await transaction.query<{ removed: number }>(REMOVE, [workspaceId, FILLED, most])
  return row?.removed ?? 0
}
