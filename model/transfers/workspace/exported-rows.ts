import { createHash } from 'node:crypto'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { isUuid, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import type { ExportedTable } from './tables.ts'

/** A column as it is exported: its name, and whether the ids in it are the workspace’s own. */
export interface ExportedColumn {
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

/** The columns of a table that are exported, in their order, as the database of this installation has them. */
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

/** What the ids of an export are changed by when it is imported into a workspace: 48 bits, never 0. */
export const maskOf = (workspaceId: WorkspaceId): number =>
  createHash('sha256').update(workspaceId).digest().readUIntBE(0, MASK_BYTES) || 1

/**
 * An id with its last 48 bits changed by a mask. What comes before, the time among it, stays: ids keep their order.
 * Twice, it is itself again.
 */
export const masked = (id: string, mask: number): string => {
  const at = id.length - MASK_BYTES * 2
  const node = Number.parseInt(id.slice(at), 16)
  // Bits are combined 32 at a time.
  const high = (Math.floor(node / HALF) ^ Math.floor(mask / HALF)) >>> 0
  const low = ((node % HALF) ^ (mask % HALF)) >>> 0
  return id.slice(0, at) + (high * HALF + low).toString(16).padStart(MASK_BYTES * 2, '0')
}

/** A value of a row with every id in it masked, wherever it is; whatever else it is, it stays. */
export const maskedDeep = (value: unknown, mask: number): unknown => {
  if (typeof value === 'string') return isUuid(value) ? masked(value, mask) : value
  if (Array.isArray(value)) return value.map(each => maskedDeep(each, mask))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [String(maskedDeep(name, mask)), maskedDeep(each, mask)]),
  )
}

/** A row of a table as JSON has it. */
export type Row = Readonly<Record<string, unknown>>

/** The row with the workspace’s own ids masked. */
export const maskedRow = (row: Row, columns: readonly ExportedColumn[], mask: number): Row => {
  if (mask === 0) return row
  const changed: Record<string, unknown> = { ...row }
  for (const { name, hasIds } of columns) if (hasIds && name in row) changed[name] = maskedDeep(row[name], mask)
  return changed
}
