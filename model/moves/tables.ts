import type { OwnerQuery } from '../../infra/postgres/owner.ts'

/** Tables that stay where they are, each with why. Every other one is moved: nobody keeps a list of those. */
const STAYING_TABLES: Readonly<Record<string, string>> = {
  schema_migrations: 'What was done to this database.',
  moves: 'Where this database stands in a move.',
}

interface Column {
  readonly name: string
  readonly type: string
}

/** A table as the database itself describes it. */
export interface MovedTable {
  readonly name: string
  /** What is copied: neither what the database makes of other columns, nor the numbers of its own transactions. */
  readonly columns: readonly Column[]
  /** The columns of the primary key. */
  readonly key: readonly Column[]
  /** Whether the owner too sees only what a policy shows. */
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

/** Every table that a move takes along. Throws for one without a primary key, by which a move goes on where it was. */
export const readTables = async (query: OwnerQuery): Promise<readonly MovedTable[]> => {
  const tables = await query<MovedTable>(TABLES, [Object.keys(STAYING_TABLES)])
  for (const { name, key } of tables) if (key === null) throw new Error(`The table ${name} has no primary key.`)
  return tables
}

/** A row in one text, the same in every PostgreSQL. */
const textOf = ({ columns }: MovedTable): string => `row(${columns.map(({ name }) => quoted(name)).join(', ')})::text`

export interface TableSum {
  readonly rows: string
  /** The sum of a number made of each row: the same whatever the order. */
  readonly sum: string
}

/** The count and checksum of a table. */
export const sumTable = async (query: OwnerQuery, table: MovedTable): Promise<TableSum> => {
  const [row] = await query<TableSum>(
    `select count(*)::text as rows, coalesce(sum(('x' || left(md5(${textOf(table)}), 15))::bit(60)::bigint), 0)::text as sum
     from ${quoted(table.name)}`,
  )
  return row ?? { rows: '0', sum: '0' }
}
