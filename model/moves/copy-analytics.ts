import type { AnalyticsTables } from '../../infra/clickhouse/migrate.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { counted } from '../../schemas/domain/for-people.ts'
import type { Report } from './copy-database.ts'

const STAYING = 'schema_migrations'
const PAGE_ROWS = 20_000

const TABLES = `
  SELECT name, engine, sorting_key FROM system.tables
  WHERE database = currentDatabase() AND engine LIKE '%MergeTree' AND name != '${STAYING}' ORDER BY name`
const COLUMNS = `
  SELECT table, name, type FROM system.columns
  WHERE database = currentDatabase() AND default_kind NOT IN ('MATERIALIZED', 'ALIAS') ORDER BY table, position`
const VIEWS = `
  SELECT name, create_table_query AS made_by FROM system.tables
  WHERE database = currentDatabase() AND engine = 'MaterializedView' ORDER BY name`

interface Table {
  readonly name: string
  readonly engine: string
  readonly sorting_key: string
  /** Types of the sorting key's columns. */
  readonly key_types: readonly string[]
  readonly columns: readonly string[]
}

const readTables = async (tables: AnalyticsTables): Promise<readonly Table[]> => {
  const columns = Map.groupBy(
    await tables.rows<{ table: string; name: string; type: string }>(COLUMNS),
    ({ table }) => table,
  )
  const found = await tables.rows<Omit<Table, 'columns' | 'key_types'>>(TABLES)
  return found.map(table => {
    const own = columns.get(table.name) ?? []
    const typeOf = new Map(own.map(({ name, type }) => [name, type.replace(/^LowCardinality\((.*)\)$/, '$1')]))
    const key_types = table.sorting_key.split(', ').map(name => typeOf.get(name) ?? 'String')
    return { ...table, key_types, columns: own.map(({ name }) => name) }
  })
}

/** Reads a table with its rows merged: an engine that merges rows of one key may not have merged them yet. */
const settled = ({ name, engine }: Table): string => (/^(Replicated)?MergeTree$/.test(engine) ? name : `${name} FINAL`)

const sumOf = async (tables: AnalyticsTables, table: Table): Promise<string> => {
  const [row] = await tables.rows<{ sum: string }>(
    `SELECT concat(toString(count()), ' rows, ', toString(sum(cityHash64(formatRow('TabSeparated', ${table.columns.join(', ')}))))) AS sum FROM ${settled(table)}`,
  )
  return row?.sum ?? ''
}

/** The columns of a key as text. */
type Key = readonly string[]

const bound = ({ key_types }: Table, name: string): string =>
  `tuple(${key_types.map((type, index) => `{${name}${index}: ${type}}`).join(', ')})`

const valuesOf = (name: string, key: Key | null): Readonly<Record<string, string>> =>
  Object.fromEntries((key ?? []).map((value, index) => [`${name}${index}`, value]))

/** Condition for rows behind a key, up to another. Both are constants, so ClickHouse uses its index. */
const between = (table: Table, after: Key | null, last: Key | null): string => {
  const key = `tuple(${table.sorting_key})`
  const conditions = [
    ...(after === null ? [] : [`${key} > ${bound(table, 'after')}`]),
    ...(last === null ? [] : [`${key} <= ${bound(table, 'last')}`]),
  ]
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
}

/**
 * Last key of the page behind a key. A page ends with a whole key, since rows of one key have no order. Null at the
 * end.
 */
const pageEnd = async (from: AnalyticsTables, table: Table, after: Key | null): Promise<Key | null> => {
  const parts = table.key_types.map((_, index) => `toString(tupleElement(max(key), ${index + 1}))`)
  const [row] = await from.rows<{ last: string[] }>(
    `SELECT [${parts.join(', ')}] AS last FROM (
       SELECT tuple(${table.sorting_key}) AS key FROM ${table.name} ${between(table, after, null)}
       ORDER BY ${table.sorting_key} LIMIT ${PAGE_ROWS})
     HAVING count() > 0`,
    valuesOf('after', after),
  )
  return row?.last ?? null
}

const copyTable = async (from: AnalyticsTables, to: AnalyticsTables, table: Table): Promise<void> => {
  // Single blocks are not recorded, so an interrupted table starts over.
  await to.command(`TRUNCATE TABLE ${table.name} SYNC`)
  const { name, columns } = table
  for (let after: Key | null = null; ; ) {
    const last: Key | null = await pageEnd(from, table, after)
    if (last === null) return
    const rows = `SELECT ${columns.join(', ')} FROM ${name} ${between(table, after, last)}`
    const text = await from.readText(rows, { ...valuesOf('after', after), ...valuesOf('last', last) })
    await to.insertText(name, columns, text)
    after = last
  }
}

/** Statements that create the views again, with those of an earlier attempt. */
export const readViews = async (to: AnalyticsTables, kept: readonly string[]): Promise<readonly string[]> => {
  const views = await to.rows<{ name: string; made_by: string }>(VIEWS)
  return [...new Set([...kept, ...views.map(({ made_by }) => made_by)])]
}

/** Drops the views, which would count copied rows a second time. */
export const removeViews = async (to: AnalyticsTables): Promise<void> => {
  for (const { name } of await to.rows<{ name: string }>(VIEWS)) await to.command(`DROP VIEW IF EXISTS ${name} SYNC`)
}

export const makeViews = async (to: AnalyticsTables, made: readonly string[]): Promise<void> => {
  for (const statement of made)
    await to.command(
      statement.replace(/^CREATE MATERIALIZED VIEW (?!IF NOT EXISTS)/, 'CREATE MATERIALIZED VIEW IF NOT EXISTS '),
    )
}

/** Rejects with `conflict` when ClickHouse holds activity of another installation. */
export const refuseActivity = async (to: AnalyticsTables): Promise<void> => {
  const [row] = await to.rows<{ filled: number }>('SELECT count() > 0 AS filled FROM activity')
  if (Number(row?.filled) === 0) return
  throw new AssayError(
    'conflict',
    'The analytics database to move into is not empty. Name a new one in CLICKHOUSE_URL.',
  )
}

interface Options {
  readonly from: AnalyticsTables
  readonly to: AnalyticsTables
  /** Tables that an earlier attempt finished. */
  readonly done: readonly string[]
  readonly onDone: (done: readonly string[]) => Promise<void>
  readonly report: Report
}

/** Copies every table unchanged, then compares them. Rejects with `conflict` and the names of tables that differ. */
export const copyAnalytics = async ({ from, to, done, onDone, report }: Options): Promise<void> => {
  const tables = await readTables(from)
  const copied = [...done]
  for (const table of tables) {
    if (copied.includes(table.name)) continue
    await copyTable(from, to, table)
    copied.push(table.name)
    await onDone(copied)
  }
  const differing: string[] = []
  for (const table of tables) {
    const [here, there] = [await sumOf(from, table), await sumOf(to, table)]
    if (here !== there) differing.push(`${table.name} (${here} there, ${there} here)`)
  }
  if (differing.length > 0)
    throw new AssayError('conflict', `The copy of the activity is not the same as its source: ${differing.join(', ')}.`)
  report(`activity: ${counted(tables.length, 'table')} of ClickHouse, each the same by count and checksum`)
}
