import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '../../infra/postgres/port.ts'
import type { ChangeId } from '../../schemas/domain/ids.ts'
import type { RowChange } from '../../schemas/domain/vocabulary.ts'
import { isKept, type KeptTable } from './kept-tables.ts'

export type Columns = Readonly<Record<string, unknown>>

/** What a change came to for one row: null before where it came, null after where it went. Of an update the columns that differ. */
export interface NetRow {
  readonly table: KeptTable
  readonly key: Columns
  readonly before: Columns | null
  readonly after: Columns | null
}

interface ChangedRow {
  readonly table_name: string
  /** As JSON. */
  readonly key: string
  readonly was: RowChange
  readonly before: Columns | null
  readonly after: Columns | null
}

const ROWS = `select table_name, key, was, before, after from changed_rows where change_id = $1 order by id`

/** What a change did, each row once. */
export const netRowsOf = async (transaction: Transaction, id: ChangeId): Promise<readonly NetRow[]> => {
  const net = new Map<string, NetRow>()
  for (const row of await transaction.query<ChangedRow>(ROWS, [id])) {
    if (!isKept(row.table_name)) throw new Error(`Nothing is known of the table ${row.table_name}.`)
    const name = `${row.table_name} ${row.key}`
    const { table_name: table, before, after } = row
    const key: Columns = JSON.parse(row.key)
    const known = net.get(name)
    net.set(name, known === undefined ? { table, key, before, after } : together(known, row))
  }
  return [...net.values()].flatMap(row => differing(row) ?? [])
}

/** The row was changed before: what it was stays, as far as that is known, and what it became is newer. */
const together = (known: NetRow, { was, before, after }: ChangedRow): NetRow => ({
  ...known,
  before: known.before === null || was === 'insert' ? known.before : { ...before, ...known.before },
  after: was === 'update' ? { ...known.after, ...after } : after,
})

/** Versions and times are no part of what is taken back. */
const STAMPS = new Set(['version', 'updated_at', 'changed_at'])

const differing = (row: NetRow): NetRow | null => {
  const { before, after } = row
  if (before === null && after === null) return null
  if (before === null || after === null) return row
  const names = Object.keys(before).filter(name => !STAMPS.has(name) && !isDeepStrictEqual(before[name], after[name]))
  const only = (from: Columns) => Object.fromEntries(names.map(name => [name, from[name]]))
  return { ...row, before: only(before), after: only(after) }
}
