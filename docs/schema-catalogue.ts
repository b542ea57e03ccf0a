import { startTestAnalytics } from '../infra/clickhouse/testing.ts'
import { testDatabaseOn } from '../infra/postgres/testing.ts'
import { startEmbeddedForTests } from '../infra/postgres/testing-embedded.ts'

/** What the migrations make, read from the catalogues of new databases, in the order in which it is made. */

export interface Column {
  readonly name: string
  /** A question mark at its end: may be null. */
  readonly type: string
  readonly comment: string | null
}
export interface Constraint {
  readonly kind: 'primary' | 'foreign' | 'check'
  readonly columns: readonly string[]
  /** The table that a foreign key names, and what deleting a row there does to the rows here. */
  readonly target: string
  readonly deleting: string | null
  readonly definition: string
}
export interface Table {
  readonly name: string
  readonly comment: string | null
  readonly columns: readonly Column[]
  readonly constraints: readonly Constraint[]
}

const list = (select: string): string => `coalesce((select json_agg(to_json(listed)) from (${select}) as listed), '[]')`

const TABLES = `
  select relname as name, obj_description(c.oid) as comment,
    ${list(`
      select attname as name, format_type(atttypid, atttypmod) || case when attnotnull then '' else '?' end as type,
        col_description(c.oid, attnum) as comment
      from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped order by attnum`)} as columns,
    ${list(`
      select case contype when 'p' then 'primary' when 'f' then 'foreign' else 'check' end as kind,
        array(
          select attname::text from unnest(conkey) with ordinality as part(attnum, at) join pg_attribute using (attnum)
          where attrelid = conrelid order by at) as columns,
        confrelid::regclass::text as target,
        case confdeltype when 'c' then 'cascade' when 'n' then 'set null' end as deleting,
        pg_get_constraintdef(k.oid) as definition
      from pg_constraint as k where conrelid = c.oid and contype in ('p', 'f', 'c')
      order by position(contype in 'pfc'), conname`)} as constraints
  from pg_class as c
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') and relname <> 'schema_migrations'
    and not exists (select from pg_depend where objid = c.oid and deptype = 'e')
  order by c.oid`

export const readTables = async (): Promise<readonly Table[]> => {
  const { pool, stop } = testDatabaseOn(await startEmbeddedForTests())
  try {
    return (await pool.query<Table>(TABLES)).rows
  } finally {
    await stop()
  }
}

export interface AnalyticsColumn extends Column {
  readonly table: string
  readonly about: string
}

export const readAnalytics = async (): Promise<ReadonlyMap<string, readonly AnalyticsColumn[]>> => {
  const { analytics, stop } = await startTestAnalytics()
  try {
    const columns = await analytics.query<AnalyticsColumn>(`
      SELECT columns.table AS table, tables.comment AS about, columns.name AS name,
        columns.type AS type, columns.comment AS comment
      FROM system.columns AS columns JOIN system.tables AS tables
        ON tables.database = columns.database AND tables.name = columns.table
      WHERE columns.database = currentDatabase() AND tables.engine <> 'MaterializedView' AND table <> 'schema_migrations'
      ORDER BY table, position`)
    return Map.groupBy(columns, ({ table }) => table)
  } finally {
    await stop()
  }
}
