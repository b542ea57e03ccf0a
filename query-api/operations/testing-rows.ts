import assert from 'node:assert/strict'
import type { OperationsKit, Workspace } from './testing.ts'

/** The tables of workspaces, read from the database. */
const tablesWith = async (kit: OperationsKit, column: string): Promise<string[]> => {
  const { rows } = await kit.database.pool.query(
    `select w.table_name from information_schema.columns w
     where w.table_schema = 'public' and w.column_name = 'workspace_id' and exists (
       select from information_schema.columns c
       where c.table_schema = 'public' and c.table_name = w.table_name and c.column_name = $1
         and (c.data_type = 'uuid' or $1 = 'workspace_id'))
     order by 1`,
    [column],
  )
  return rows.map(row => row.table_name)
}

/** An id in each table, for a workspace that has everything. */
export const idsOf = async (kit: OperationsKit, { id: workspaceId }: Workspace): Promise<[string, string][]> => {
  const found: [string, string][] = [['workspaces', workspaceId]]
  const columns = [...(await tablesWith(kit, 'id')).map(table => [table, 'id']), ['dead_letters', 'signal_id']]
  for (const [table = '', column] of columns) {
    // The newest row: waiting rows are younger than decided ones.
    const select = `select ${column} as id from ${table} where workspace_id = $1 order by id desc limit 1`
    const { rows } = await kit.database.pool.query<{ id: string }>(select, [workspaceId])
    assert.ok(rows[0], `the seed puts nothing into ${table}`)
    found.push([table, rows[0].id])
  }
  return found
}

/** All rows of a workspace, without some tables. */
export const everythingOf = async (
  kit: OperationsKit,
  { id: workspaceId }: Workspace,
  leftOut: readonly string[] = [],
): Promise<string> => {
  const parts: string[] = []
  for (const table of await tablesWith(kit, 'workspace_id')) {
    if (leftOut.includes(table)) continue
    const select = `select coalesce(string_agg(t::text, ' ' order by t::text), '') as rows from ${table} t where workspace_id = $1`
    const { rows } = await kit.database.pool.query(select, [workspaceId])
    parts.push(`${table}: ${rows[0].rows}`)
  }
  return parts.join('\n')
}
