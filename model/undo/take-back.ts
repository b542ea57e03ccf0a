import type { Transaction } from '../../infra/postgres/port.ts'
import { withItemAt } from '../collections.ts'
import { type Columns, KEPT_TABLES, type KeptTable, keptTable, type NetRow, PLACE } from './changed-rows.ts'

/** A row that differs from what the change left. */
interface Obstacle {
  readonly table: KeptTable
  readonly key: Columns
}

interface TakingBack {
  readonly at: Date
  /** Name of the person who undoes, as answers show it. */
  readonly by: string
}

// Names come from the database's own columns, so that no foreign text reaches a statement.
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
const list = (names: readonly string[], of = ''): string => names.map(name => `${of}${quoted(name)}`).join(', ')

const onKey = (key: Columns): string =>
  Object.keys(key)
    .map(name => `kept.${quoted(name)} = keyed.${quoted(name)}`)
    .join(' and ')

/** The rows as a table `item`, with each key as `keyed`, and the row before and after as `was` and `became`. */
const itemsOf = (table: KeptTable): string => `
  jsonb_array_elements($1::jsonb) as item
  cross join lateral jsonb_populate_record(null::${table}, item -> 'key') as keyed
  cross join lateral jsonb_populate_record(null::${table}, nullif(item -> 'before', 'null')) as was
  cross join lateral jsonb_populate_record(null::${table}, nullif(item -> 'after', 'null')) as became`

const bound = (rows: readonly NetRow[]): string => JSON.stringify(rows)

/** Columns that are computed again after a change of the map. */
const ANCHORING: readonly string[] = ['node_id', 'node_score']

const changedColumns = ({ before, after }: NetRow): readonly string[] =>
  before === null || after === null ? [] : Object.keys(before).filter(name => name !== PLACE)

const keyOf = ([first]: readonly NetRow[]): Columns => first?.key ?? {}

/** Groups rows by their changed columns, so that a group shares a statement. */
const alike = (rows: readonly NetRow[]): readonly (readonly NetRow[])[] => [
  ...Map.groupBy(rows, row => changedColumns(row).join()).values(),
]

const LOCK = (table: KeptTable, key: Columns): string =>
  `select from ${table} as kept, ${itemsOf(table)} where ${onKey(key)} order by ${list(Object.keys(key), 'kept.')} for update of kept`

/** Locks the rows, and finds the first that is missing or differs in a changed column. */
const findObstacle = async (
  transaction: Transaction,
  table: KeptTable,
  rows: readonly NetRow[],
  isOfMap: boolean,
): Promise<Obstacle | undefined> => {
  const there = rows.filter(({ after }) => after !== null)
  if (there.length === 0) return undefined
  const key = keyOf(there)
  // Rows without a version are protected by the workspace's locks, which the caller holds.
  if (keptTable(table).touch !== undefined) await transaction.query(LOCK(table, key), [bound(there)])
  for (const same of alike(there)) {
    const changed = changedColumns(same[0] ?? { table, key, before: null, after: null })
    const names = table === 'signals' && isOfMap ? changed.filter(name => !ANCHORING.includes(name)) : changed
    const differs =
      names.length === 0 ? '' : `or (${list(names, 'kept.')}) is distinct from (${list(names, 'became.')})`
    const statement = `
      select item -> 'key' as key from ${itemsOf(table)} left join ${table} as kept on ${onKey(key)}
      where kept.workspace_id is null ${differs} limit 1`
    const [found] = await transaction.query<{ key: Columns }>(statement, [bound(same)])
    if (found !== undefined) return { table, key: found.key }
  }
  return undefined
}

const bringBack = async (transaction: Transaction, table: KeptTable, rows: readonly NetRow[]): Promise<void> => {
  const names = list(Object.keys(rows[0]?.before ?? {}))
  const values = list(Object.keys(rows[0]?.before ?? {}), 'was.')
  const statement = `insert into ${table} (${names}) select ${values} from ${itemsOf(table)}`
  await transaction.query(statement, [bound(rows)])
}

const writeBack = async (
  transaction: Transaction,
  table: KeptTable,
  rows: readonly NetRow[],
  at: Date,
): Promise<void> => {
  const { touch } = keptTable(table)
  for (const same of alike(rows)) {
    const names = same[0] === undefined ? [] : changedColumns(same[0])
    const set = [...names.map(name => `${quoted(name)} = was.${quoted(name)}`), ...(touch === undefined ? [] : [touch])]
    if (set.length === 0) continue
    const statement = `update ${table} as kept set ${set.join(', ')} from ${itemsOf(table)} where ${onKey(keyOf(same))}`
    await transaction.query(statement, [bound(same), ...(touch?.includes('$2') ? [at] : [])])
  }
}

const remove = async (
  transaction: Transaction,
  table: KeptTable,
  rows: readonly NetRow[],
  { at, by }: TakingBack,
): Promise<void> => {
  const { retire, touch } = keptTable(table)
  const where = `${itemsOf(table)} where ${onKey(keyOf(rows))}`
  if (retire === undefined) {
    await transaction.query(`delete from ${table} as kept using ${where}`, [bound(rows)])
    return
  }
  const set = [retire, ...(touch === undefined ? [] : [touch])].join(', ')
  const values = set.includes('$3') ? [at, by] : set.includes('$2') ? [at] : []
  await transaction.query(`update ${table} as kept set ${set} from ${where}`, [bound(rows), ...values])
}

/**
 * Restores rows to their state before a change: deleted rows are inserted, updated rows get their values back, inserted
 * rows are deleted or retired. Answers the first row that differs from what the change left; then nothing is written.
 * Decisions and versions of documents are left to the caller.
 */
export const takeBack = async (
  transaction: Transaction,
  net: readonly NetRow[],
  taking: TakingBack,
): Promise<Obstacle | undefined> => {
  // In the order of the list, so that two undos lock alike.
  const tables = (Object.keys(KEPT_TABLES) as KeptTable[]).filter(name => keptTable(name).isLog !== true)
  const rowsOf = (table: KeptTable) => net.filter(row => row.table === table)
  const isOfMap = rowsOf('map_nodes').length > 0
  for (const table of tables) {
    const obstacle = await findObstacle(transaction, table, rowsOf(table), isOfMap)
    if (obstacle !== undefined) return obstacle
  }
  for (const table of tables) {
    const removedRows = rowsOf(table).filter(({ after }) => after === null)
    if (removedRows.length > 0) await bringBack(transaction, table, removedRows)
  }
  for (const table of tables) {
    const changed = rowsOf(table).filter(({ before, after }) => before !== null && after !== null)
    await writeBack(transaction, table, changed, taking.at)
  }
  for (const table of tables.toReversed()) {
    const came = rowsOf(table).filter(({ before }) => before === null)
    if (came.length > 0) await remove(transaction, table, came, taking)
  }
  await closeOrders(transaction, net)
  return undefined
}

const placesOf = (row: NetRow): readonly [before: number, after: number] => [
  Number(row.before?.[PLACE] ?? 0),
  Number(row.after?.[PLACE] ?? 0),
]

const distance = (row: NetRow): number => {
  const [before, after] = placesOf(row)
  return Math.abs(before - after)
}

/**
 * The rows that a change moved on purpose; others only made room. When nothing entered or left an order, it is the row
 * that moved furthest; of two swapped neighbours it is either.
 */
const putElsewhere = (rows: readonly NetRow[], of: string): readonly NetRow[] => {
  const moved = rows.filter(({ before, after }) => before === null || after === null || of in before)
  if (moved.length > 0) return moved.filter(({ before }) => before !== null)
  const [furthest] = rows.toSorted((one, other) => distance(other) - distance(one))
  return furthest === undefined || distance(furthest) === 0 ? [] : [furthest]
}

/** Moves rows back to their earlier position among the present rows, and numbers each order from 1. */
const closeOrders = async (transaction: Transaction, net: readonly NetRow[]): Promise<void> => {
  for (const table of Object.keys(KEPT_TABLES) as KeptTable[]) {
    const { order } = keptTable(table)
    const rows = net.filter(row => row.table === table)
    if (order === undefined || rows.length === 0) continue
    const { of, id } = order
    const back = putElsewhere(rows, of).toSorted((one, other) => placesOf(one)[0] - placesOf(other)[0])
    const standing = await transaction.query<{ id: string; of: string }>(
      `select ${id} as id, ${of} as of from ${table} order by ${PLACE}, ${id}`,
    )
    for (const [, members] of Map.groupBy(standing, row => row.of)) {
      let ids: readonly string[] = members.map(row => row.id)
      for (const row of back) {
        const moved = String(row.key[id])
        if (ids.includes(moved)) ids = withItemAt(ids, moved, placesOf(row)[0])
      }
      await transaction.query(
        `update ${table} as kept set ${PLACE} = placed.position
         from unnest($1::uuid[]) with ordinality as placed (id, position)
         where kept.${id} = placed.id and kept.${PLACE} <> placed.position`,
        [ids],
      )
    }
  }
}
