import type { Transaction } from '../../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import { EXPORT_VERSION, type ExportEnd, type ExportHeader } from '../../../schemas/transfers/workspace-export.ts'
import { rowBegins } from './check-export.ts'
import { type ExportedColumn, exportedColumns, maskedRow } from './exported-rows.ts'
import { EXPORTED_TABLES, type ExportedTable } from './tables.ts'

const ROWS_A_FETCH = 500

const ONE_SNAPSHOT = 'set transaction isolation level repeatable read'
const IN_UTC = `set local timezone to 'UTC'`
const WORKSPACE = 'select name, id_mask, now() as moment from workspaces where id = $1'

interface WorkspaceRow {
  readonly name: string
  readonly id_mask: number
  readonly moment: Date
}

interface Planned extends ExportedTable {
  readonly columns: readonly ExportedColumn[]
  readonly rows: number
}

const isOf = (table: string, workspaceId: WorkspaceId): string =>
  `${table === 'workspaces' ? 'kept.id' : 'kept.workspace_id'} = '${workspaceId}'`

/**
 * Writes everything of a workspace as lines, all as of one moment. `write` gets each line with its end; it must await
 * nothing but queries of the transaction, which has to be new and of the role `assay_transfer`. Answers the first line
 * and how many rows there are.
 */
export const writeExport = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  write: (line: string) => Promise<void>,
): Promise<{ readonly header: ExportHeader; readonly rows: number }> => {
  await transaction.query(ONE_SNAPSHOT)
  await transaction.query(IN_UTC)
  const [workspace] = await transaction.query<WorkspaceRow>(WORKSPACE, [workspaceId])
  if (workspace === undefined) throw new Error('The transaction is not of the workspace that is exported.')
  const tables: Planned[] = []
  for (const table of EXPORTED_TABLES) {
    const columns = await exportedColumns(transaction, table)
    tables.push({ ...table, columns, rows: await countRows(transaction, table.table, workspaceId) })
  }
  const header: ExportHeader = {
    assay_export: EXPORT_VERSION,
    workspace: workspace.name,
    exported_at: workspace.moment.toISOString(),
    tables: tables.map(({ table, rows, columns }) => ({ table, rows, columns: columns.map(({ name }) => name) })),
  }
  await write(`${JSON.stringify(header)}\n`)
  for (const table of tables) await writeTable(transaction, workspaceId, table, workspace.id_mask, write)
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const end: ExportEnd = { end: rows }
  await write(`${JSON.stringify(end)}\n`)
  return { header, rows }
}

const countRows = async (transaction: Transaction, table: string, workspaceId: WorkspaceId): Promise<number> => {
  const counted = await transaction.query<{ rows: number }>(
    `select count(*)::integer as rows from ${table} as kept where ${isOf(table, workspaceId)}`,
  )
  return counted[0]?.rows ?? 0
}

const writeTable = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  { table, order, columns, rows }: Planned,
  mask: number,
  write: (line: string) => Promise<void>,
): Promise<void> => {
  if (rows === 0) return
  const selected = columns.map(({ name }) => `kept.${name}`).join(', ')
  // Names of tables and columns are those of `EXPORTED_TABLES` and the catalogue.
  await transaction.query(
    `declare lines no scroll cursor for
     select to_jsonb(listed)::text as row
     from (select ${selected} from ${table} as kept where ${isOf(table, workspaceId)} order by ${order}) as listed`,
  )
  const begins = rowBegins(table)
  for (;;) {
    const page = await transaction.query<{ row: string }>(`fetch ${ROWS_A_FETCH} from lines`)
    for (const { row } of page) {
      // Through JSON here, masked or not: PostgreSQL writes its own with other spaces.
      await write(`${begins}${JSON.stringify(maskedRow(JSON.parse(row), columns, mask))}}\n`)
    }
    if (page.length < ROWS_A_FETCH) break
  }
  await transaction.query('close lines')
}
