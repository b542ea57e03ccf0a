import { createHash } from 'node:crypto'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { isUuid, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import {
  EXPORT_VERSION,
  type ExportEnd,
  type ExportHeader,
  rowBegins,
} from '../../../schemas/transfers/workspace-export.ts'
import { EXPORTED_TABLES, type ExportedTable } from './tables.ts'

/** An exported column; `hasIds` tells whether its ids belong to the workspace. */
interface ExportedColumn {
  readonly name: string
  readonly hasIds: boolean
}

const COLUMNS = `
  select attname as name, format_type(atttypid, null) as type
  from pg_attribute
  where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''
    and attname <> 'workspace_id'
  order by attnum`

const WITH_IDS = new Set(['uuid', 'uuid[]', 'jsonb'])

/** Exported columns of a table in order, as this installation's database has them. */
export const exportedColumns = async (
  transaction: Transaction,
  { table, excludedRows = {}, outside = [] }: ExportedTable,
): Promise<readonly ExportedColumn[]> => {
  const columns = await transaction.query<{ name: string; type: string }>(COLUMNS, [table])
  return columns
    .filter(({ name }) => !(name in excludedRows))
    .map(({ name, type }) => ({ name, hasIds: WITH_IDS.has(type) && !outside.includes(name) }))
}

const MASK_BYTES = 6
const HALF = 0x1000000

/** The mask that changes an export's ids for a workspace: 48 bits, never 0. */
export const maskOf = (workspaceId: WorkspaceId): number =>
  createHash('sha256').update(workspaceId).digest().readUIntBE(0, MASK_BYTES) || 1

/**
 * An id with its last 48 bits changed by a mask. The time in front stays, so ids keep their order. Applied twice, it
 * gives the id again.
 */
export const masked = (id: string, mask: number): string => {
  const at = id.length - MASK_BYTES * 2
  const node = Number.parseInt(id.slice(at), 16)
  // JavaScript combines bits 32 at a time.
  const high = (Math.floor(node / HALF) ^ Math.floor(mask / HALF)) >>> 0
  const low = ((node % HALF) ^ (mask % HALF)) >>> 0
  return id.slice(0, at) + (high * HALF + low).toString(16).padStart(MASK_BYTES * 2, '0')
}

/** A value with every id in it masked, at any depth. Everything else stays. */
export const maskedDeep = (value: unknown, mask: number): unknown => {
  if (typeof value === 'string') return isUuid(value) ? masked(value, mask) : value
  if (Array.isArray(value)) return value.map(each => maskedDeep(each, mask))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [String(maskedDeep(name, mask)), maskedDeep(each, mask)]),
  )
}

/** A table row in JSON. */
export type Row = Readonly<Record<string, unknown>>

/** The row with the workspace's own ids masked. */
export const maskedRow = (row: Row, columns: readonly ExportedColumn[], mask: number): Row => {
  if (mask === 0) return row
  const changed: Record<string, unknown> = { ...row }
  for (const { name, hasIds } of columns) if (hasIds && name in row) changed[name] = maskedDeep(row[name], mask)
  return changed
}

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
 * Writes everything of a workspace as lines, as of one moment. `write` gets each line with its end, and may await only
 * queries of the transaction, which must be new and of the role `assay_transfer`. Answers the first line and the number
 * of rows.
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
  // Names of tables and columns come from `EXPORTED_TABLES` and the catalogue.
  await transaction.query(
    `declare lines no scroll cursor for
     select to_jsonb(listed)::text as row
     from (select ${selected} from ${table} as kept where ${isOf(table, workspaceId)} order by ${order}) as listed`,
  )
  const begins = rowBegins(table)
  for (;;) {
    const page = await transaction.query<{ row: string }>(`fetch ${ROWS_A_FETCH} from lines`)
    for (const { row } of page) {
      // Written by this program, masked or not: PostgreSQL's JSON has other spaces.
      await write(`${begins}${JSON.stringify(maskedRow(JSON.parse(row), columns, mask))}}\n`)
    }
    if (page.length < ROWS_A_FETCH) break
  }
  await transaction.query('close lines')
}
