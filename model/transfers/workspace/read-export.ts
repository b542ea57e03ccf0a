import { Compile } from 'typebox/compile'
import type { Transaction } from '../../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import { visibleJson } from '../../../schemas/domain/visible-text.ts'
import { ExportHeader } from '../../../schemas/transfers/workspace-export.ts'
import { newerVersion } from './check-header.ts'
import { exportedColumns } from './columns.ts'
import { maskOf } from './mask.ts'
import { maskedRow, type Row } from './masked-row.ts'
import { EXPORTED_TABLES } from './tables.ts'

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
export interface TableRows {
  readonly table: string
  readonly rows: readonly Row[]
}

/** What a table needs that no export has; answers the columns with their values for a row. */
export type CompleteRow = (table: string, row: Row) => Row

/** Rows of one table as a workspace gets them: with its own ids and without what nobody sees. Needs the role `assay_transfer`. */
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
  const written = await rowsFor(transaction, workspaceId, part, complete)
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
       select $2::uuid, ${list} from jsonb_populate_recordset(null::${table}, $1::jsonb)`
}
