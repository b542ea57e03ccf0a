import { startTestAnalytics } from '../infra/clickhouse/testing.ts'
import { testDatabaseOn } from '../infra/postgres/testing.ts'
import { startEmbeddedForTests } from '../infra/postgres/testing-embedded.ts'

/** What the migrations make, read from the catalogues of new databases, in the order in which it is made. */

export interface Column {
  readonly name: string
  /** A question mark at its end: may be null. */
  readonly type: string
  readonly default: string | null
  readonly comment: string | null
}
export interface Constraint {
  readonly kind: 'primary' | 'unique' | 'foreign' | 'check'
  readonly columns: readonly string[]
  /** The table that a foreign key names, and what deleting a row there does to the rows here. */
  readonly target: string
  readonly deleting: string | null
  readonly definition: string
}
export interface Policy {
  readonly name: string
  readonly role: string
  readonly command: string
  readonly rows: string
}
export interface Grant {
  readonly role: string
  /** One of PostgreSQL's letters for a privilege; with names of columns behind it where it is of these alone. */
  readonly rights: readonly string[]
}
export interface Table {
  readonly name: string
  readonly comment: string | null
  readonly columns: readonly Column[]
  readonly constraints: readonly Constraint[]
  readonly uniqueIndexes: readonly string[]
  readonly policies: readonly Policy[]
  readonly grants: readonly Grant[]
}

const list = (select: string): string => `coalesce((select json_agg(to_json(listed)) from (${select}) as listed), '[]')`

const LETTER = `case privilege_type when 'INSERT' then 'a' when 'SELECT' then 'r' when 'UPDATE' then 'w'
  when 'DELETE' then 'd' else lower(privilege_type) end`

const TABLES = `
  select relname as name, obj_description(c.oid) as comment,
    ${list(`
      select attname as name, format_type(atttypid, atttypmod) || case when attnotnull then '' else '?' end as type,
        case when attidentity <> '' then 'identity' when attgenerated <> '' then 'generated'
          else pg_get_expr(adbin, adrelid) end as default, col_description(c.oid, attnum) as comment
      from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attrelid = c.oid and attnum > 0 and not attisdropped order by attnum`)} as columns,
    ${list(`
      select case contype when 'p' then 'primary' when 'u' then 'unique' when 'f' then 'foreign' else 'check' end as kind,
        array(
          select attname::text from unnest(conkey) with ordinality as part(attnum, at) join pg_attribute using (attnum)
          where attrelid = conrelid order by at) as columns,
        confrelid::regclass::text as target,
        case confdeltype when 'c' then 'cascade' when 'n' then 'set null' end as deleting,
        pg_get_constraintdef(k.oid) as definition
      from pg_constraint as k where conrelid = c.oid and contype in ('p', 'u', 'f', 'c')
      order by position(contype in 'pufc'), conname`)} as constraints,
    array(
      select regexp_replace(pg_get_indexdef(i.indexrelid), '^CREATE UNIQUE INDEX .* USING btree ', '') from pg_index as i
      where i.indrelid = c.oid and i.indisunique
        and not exists (select from pg_constraint as k where k.conindid = i.indexrelid and k.conrelid = c.oid)
      order by i.indexrelid) as "uniqueIndexes",
    ${list(`
      select policyname as name, array_to_string(roles, ', ') as role, lower(cmd) as command, coalesce(qual, with_check) as rows
      from pg_policies where tablename = relname and schemaname = 'public' order by policyname`)} as policies,
    ${list(`
      select grantee::regrole::text as role, array_agg(rights order by rights) as rights from (
        select grantee, ${LETTER} as rights from aclexplode(relacl)
        union all
        select grantee, format('%s (%s)', ${LETTER}, string_agg(attname, ', ' order by attnum))
        from pg_attribute cross join lateral aclexplode(attacl) where attrelid = c.oid group by grantee, privilege_type
      ) as granted where grantee <> relowner group by grantee order by 1`)} as grants
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
  readonly engine: string
  readonly about: string
}

export const readAnalytics = async (): Promise<ReadonlyMap<string, readonly AnalyticsColumn[]>> => {
  const { analytics, stop } = await startTestAnalytics()
  try {
    const columns = await analytics.query<AnalyticsColumn>(`
      SELECT columns.table AS table, tables.engine_full AS engine, tables.comment AS about, columns.name AS name,
        columns.type AS type, nullIf(columns.default_expression, '') AS default, columns.comment AS comment
      FROM system.columns AS columns JOIN system.tables AS tables
        ON tables.database = columns.database AND tables.name = columns.table
      WHERE columns.database = currentDatabase() AND tables.engine <> 'MaterializedView' AND table <> 'schema_migrations'
      ORDER BY table, position`)
    return Map.groupBy(columns, ({ table }) => table)
  } finally {
    await stop()
  }
}
