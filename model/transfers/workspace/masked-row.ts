import type { ExportedColumn } from './columns.ts'
import { maskedDeep } from './mask.ts'

/** A row of a table as JSON has it. */
export type Row = Readonly<Record<string, unknown>>

/** The row with the workspace’s own ids masked. */
export const maskedRow = (row: Row, columns: readonly ExportedColumn[], mask: number): Row => {
  if (mask === 0) return row
  const changed: Record<string, unknown> = { ...row }
  for (const { name, hasIds } of columns) if (hasIds && name in row) changed[name] = maskedDeep(row[name], mask)
  return changed
}
