import type { Transaction } from '../../../infra/postgres/port.ts'
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
