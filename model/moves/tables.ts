import type { OwnerQuery } from '../../infra/postgres/pool.ts'

/** Tables that are not moved, with the reason. Every other table is moved without a list. */
const STAYING_TABLES: Readonly<Record<string, string>> = {
  schema_migrations: 'What was done to this database.',
  moves: 'Where this database stands in a move.',
}

interface Column {
  readonly name: string
  readonly type: string
}

/** A table by the database's own description. */
export interface MovedTable {
  readonly name: string
  /** Copied columns: without generated ones, and without transaction numbers. */
  readonly columns: readonly Column[]
  /** Columns of the primary key. */
  readonly key: readonly Column[]
  /** True when row-level security also applies to the owner. */
  readonly forced: boolean
}

const TABLES = `
  with columns as (
    select attrelid, attnum, attname as name, format_type(atttypid, atttypmod) as type,
      attgenerated = '' and atttypid <> 'xid8'::regtype as copied
    from pg_attribute where attnum > 0 and not attisdropped)
  select relname as name, relforcerowsecurity as forced,
    (select jsonb_agg(jsonb_build_object('name', name, 'type', type) order by attnum)
     from columns where attrelid = tables.oid and copied) as columns,
    (select jsonb_agg(jsonb_build_object('name', name, 'type', type) order by place)
     from pg_index cross join unnest(indkey::smallint[]) with ordinality as key (attnum, place) join columns using (attnum)
     where indrelid = tables.oid and attrelid = tables.oid and indisprimary) as key
  from pg_class as tables
  where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and relname <> all ($1)
  order by relname`

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Every table that is moved. Throws for a table without a primary key, which continues an interrupted move. */
export const readTables = async (query: OwnerQuery): Promise<readonly MovedTable[]> => {
  const tables = await query<MovedTable>(TABLES, [Object.keys(STAYING_TABLES)])
  for (const { name, key } of tables) if (key === null) throw new Error(`The table ${name} has no primary key.`)
  return tables
}

/** A row as one text, equal in every PostgreSQL. */
const textOf = ({ columns }: MovedTable): string => `row(${columns.map(({ name }) => quoted(name)).join(', ')})::text`

interface TableSum {
  readonly rows: string
  /** Sum of a number for each row, independent of the order. */
  readonly sum: string
}

/** Number of rows and checksum of a table. */
export const sumTable = async (query: OwnerQuery, table: MovedTable): Promise<TableSum> => {
  const [row] = await query<TableSum>(
    `select count(*)::text as rows, coalesce(sum(('x' || left(md5(${textOf(table)}), 15))::bit(60)::bigint), 0)::text as sum
     from ${quoted(table.name)}`,
  )
  return row ?? { rows: '0', sum: '0' }
}

/** Bytes of values in a page, about; at least one row. */
const PAGE_BYTES = 4 * 1024 * 1024
const PAGE_ROWS = 2000

const names = (columns: MovedTable['columns']): string => columns.map(({ name }) => quoted(name)).join(', ')

/** Size of a value without reading it: text and bytes store their length; other types are estimated from their text. */
const sizeOf = ({ name, type }: MovedTable['columns'][number]): string =>
  ['text', 'bytea'].includes(type)
    ? `coalesce(octet_length(${quoted(name)}), 0)`
    : `coalesce(4 * pg_column_size(${quoted(name)}), 0)`

const pageOf = ({ name, columns, key }: MovedTable, after: readonly string[] | null): string => {
  const places = key.map(({ type }, index) => `$${index + 1}::text::${type}`).join(', ')
  return `
    with page as (
      select * from ${quoted(name)}
      ${after === null ? '' : `where (${names(key)}) > (${places})`}
      order by ${names(key)} limit ${PAGE_ROWS}),
    sized as (select *, ${columns.map(sizeOf).join(' + ')} as "size of row" from page),
    summed as (
      select *, sum("size of row") over (order by ${names(key)} rows unbounded preceding) as "size so far" from sized)
    select ${columns.map(column => `${quoted(column.name)}::text`).join(', ')}
    from summed where "size so far" - "size of row" < ${PAGE_BYTES}
    order by ${key.map(column => `summed.${quoted(column.name)}`).join(', ')}`
}

interface Page {
  /** Rows of texts, by column. */
  readonly rows: readonly Readonly<Record<string, string | null>>[]
  /** Key of the last row. */
  readonly last: readonly string[]
}

/** Rows behind a key; null at the end. */
export const readPage = async (
  query: OwnerQuery,
  table: MovedTable,
  after: readonly string[] | null,
): Promise<Page | null> => {
  const rows = await query<Readonly<Record<string, string | null>>>(pageOf(table, after), after ?? [])
  const last = rows.at(-1)
  return last === undefined ? null : { rows, last: table.key.map(({ name }) => last[name] ?? '') }
}

/** Inserts rows unchanged, with their numbers. */
export const writePage = async (query: OwnerQuery, { name, columns }: MovedTable, { rows }: Page): Promise<void> => {
  const made = columns.map((_, index) => `c${index}`).join(', ')
  await query(
    `insert into ${quoted(name)} (${names(columns)}) overriding system value
     select ${columns.map(({ type }, index) => `c${index}::${type}`).join(', ')}
     from unnest(${columns.map((_, index) => `$${index + 1}::text[]`).join(', ')}) as given (${made})`,
    columns.map(column => rows.map(row => row[column.name])),
  )
}
