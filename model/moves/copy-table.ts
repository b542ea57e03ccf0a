import type { OwnerQuery } from '../../infra/postgres/owner.ts'
import { type MovedTable, quoted } from './tables.ts'

/** About so many bytes of values are read at once, or one row. */
const PAGE_BYTES = 4 * 1024 * 1024
const PAGE_ROWS = 2000

const names = (columns: MovedTable['columns']): string => columns.map(({ name }) => quoted(name)).join(', ')

/** What a value takes, without reading a long one: text and bytes know their length; the others take several times as much as text. */
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

export interface Page {
  /** Rows of texts, by column. */
  readonly rows: readonly Readonly<Record<string, string | null>>[]
  /** The key of the last row. */
  readonly last: readonly string[]
}

/** The rows behind a key; null when there are none. */
export const readPage = async (
  query: OwnerQuery,
  table: MovedTable,
  after: readonly string[] | null,
): Promise<Page | null> => {
  const rows = await query<Readonly<Record<string, string | null>>>(pageOf(table, after), after ?? [])
  const last = rows.at(-1)
  return last === undefined ? null : { rows, last: table.key.map(({ name }) => last[name] ?? '') }
}

/** Adds the rows as they are, with the numbers that they have. */
export const writePage = async (query: OwnerQuery, { name, columns }: MovedTable, { rows }: Page): Promise<void> => {
  const made = columns.map((_, index) => `c${index}`).join(', ')
  await query(
    `insert into ${quoted(name)} (${names(columns)}) overriding system value
     select ${columns.map(({ type }, index) => `c${index}::${type}`).join(', ')}
     from unnest(${columns.map((_, index) => `$${index + 1}::text[]`).join(', ')}) as given (${made})`,
    columns.map(column => rows.map(row => row[column.name])),
  )
}
