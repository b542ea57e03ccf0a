import { startTestAnalytics } from '../infra/clickhouse/testing.ts'
import { testDatabaseOn } from '../infra/postgres/testing.ts'
import { startEmbeddedForTests } from '../infra/postgres/testing-embedded.ts'
import { page, row } from './reference.ts'

/** What the migrations make, read from the catalogues of new databases. In the order in which it is made: by noun. */

interface Column {
  readonly name: string
  readonly type: string
  readonly default: string | null
  readonly comment: string | null
}
interface Policy {
  readonly name: string
  readonly role: string
  readonly command: string
  readonly rows: string
}
interface Grant {
  readonly role: string
  readonly what: string
}
interface Table {
  readonly name: string
  readonly comment: string | null
  readonly columns: readonly Column[]
  readonly keys: readonly string[]
  readonly indexes: readonly string[]
  readonly policies: readonly Policy[]
  readonly grants: readonly Grant[]
  readonly triggers: readonly string[]
}

const list = (select: string): string => `coalesce((select json_agg(to_json(listed)) from (${select}) as listed), '[]')`
const texts = (select: string): string => `array(${select})`

const TABLES = `
  select relname as name, obj_description(c.oid) as comment,
    ${list(`
      select attname as name, format_type(atttypid, atttypmod) || case when attnotnull then '' else ', or null' end as type,
        case when attidentity <> '' then 'identity' when attgenerated <> '' then 'generated'
          else pg_get_expr(adbin, adrelid) end as default, col_description(c.oid, attnum) as comment
      from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attrelid = c.oid and attnum > 0 and not attisdropped order by attnum`)} as columns,
    ${texts(`
      select pg_get_constraintdef(k.oid) from pg_constraint as k where conrelid = c.oid and contype <> 'n'
      order by position(contype in 'pufc'), conname`)} as keys,
    ${texts(`
      select regexp_replace(pg_get_indexdef(i.indexrelid), '^CREATE (UNIQUE )?INDEX .* USING', '\\1') from pg_index as i
      where i.indrelid = c.oid and not exists (select from pg_constraint as k where k.conindid = i.indexrelid and k.conrelid = c.oid)
      order by i.indexrelid`)} as indexes,
    ${list(`
      select policyname as name, array_to_string(roles, ', ') as role, lower(cmd) as command, coalesce(qual, with_check) as rows
      from pg_policies where tablename = relname and schemaname = 'public' order by policyname`)} as policies,
    ${list(`
      select grantee::regrole::text as role, string_agg(what, ', ' order by what) as what from (
        select grantee, lower(privilege_type) as what from aclexplode(relacl)
        union all
        select grantee, format('%s (%s)', lower(privilege_type), string_agg(attname, ', ' order by attnum))
        from pg_attribute cross join lateral aclexplode(attacl) where attrelid = c.oid group by grantee, privilege_type
      ) as granted where grantee <> relowner group by grantee order by 1`)} as grants,
    ${texts(`select tgname::text from pg_trigger where tgrelid = c.oid and not tgisinternal order by tgname`)} as triggers
  from pg_class as c
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') and relname <> 'schema_migrations'
    and not exists (select from pg_depend where objid = c.oid and deptype = 'e')
  order by c.oid`

/** As one would write it, where Postgres says it at greater length. */
const code = (sql: string): string => {
  const short = sql.replaceAll('::text', '').replaceAll(/= ANY \(ARRAY\[([^\]]*)\]\)/g, 'IN ($1)')
  return `\`${short.trim().replaceAll(/\s+/g, ' ')}\``
}

const readTables = async (): Promise<readonly Table[]> => {
  const { pool, stop } = testDatabaseOn(await startEmbeddedForTests())
  try {
    return (await pool.query<Table>(TABLES)).rows
  } finally {
    await stop()
  }
}

const describeColumns = (columns: readonly Column[]): string =>
  [
    '| column | type | default | what it is |',
    '|---|---|---|---|',
    ...columns.map(column =>
      row(code(column.name), column.type, column.default === null ? '' : code(column.default), column.comment ?? ''),
    ),
  ].join('\n')

const ruleOf = ({ role, command, rows }: Policy): string => `${role}, ${command}: ${code(rows)}`

/** Of each name, the rule that most tables have. */
const commonPolicies = (tables: readonly Table[]): ReadonlyMap<string, string> => {
  const counts = new Map<string, Map<string, number>>()
  for (const policy of tables.flatMap(table => table.policies)) {
    const rules = counts.get(policy.name) ?? new Map<string, number>()
    counts.set(policy.name, rules.set(ruleOf(policy), (rules.get(ruleOf(policy)) ?? 0) + 1))
  }
  const mostFrequent = (rules: ReadonlyMap<string, number>): string =>
    [...rules].reduce((best, rule) => (rule[1] > best[1] ? rule : best))[0]
  return new Map([...counts].map(([name, rules]) => [name, mostFrequent(rules)]))
}

const bullets = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [[`${title}:`, '', ...lines.map(line => `- ${line}`)].join('\n')]

const describeTable = (table: Table, common: ReadonlyMap<string, string>): string =>
  [
    `### ${table.name}`,
    table.comment ?? '',
    describeColumns(table.columns),
    ...bullets('Keys and checks', table.keys.map(code)),
    ...bullets('Indexes', table.indexes.map(code)),
    ...bullets(
      'Policies',
      table.policies.map(one => (common.get(one.name) === ruleOf(one) ? one.name : `${one.name}: ${ruleOf(one)}`)),
    ),
    ...bullets(
      'Grants',
      table.grants.map(({ role, what }) => `${role}: ${what}`),
    ),
    ...bullets('Triggers', table.triggers.map(code)),
  ].join('\n\n')

interface AnalyticsColumn {
  readonly table: string
  readonly engine: string
  readonly about: string
  readonly name: string
  readonly type: string
  readonly default: string
  readonly comment: string
}

const readAnalytics = async (): Promise<ReadonlyMap<string, readonly AnalyticsColumn[]>> => {
  const { analytics, stop } = await startTestAnalytics()
  try {
    const columns = await analytics.query<AnalyticsColumn>(`
      SELECT columns.table AS table, tables.engine_full AS engine, tables.comment AS about, columns.name AS name,
        columns.type AS type, columns.default_expression AS default, columns.comment AS comment
      FROM system.columns AS columns JOIN system.tables AS tables
        ON tables.database = columns.database AND tables.name = columns.table
      WHERE columns.database = currentDatabase() AND tables.engine <> 'MaterializedView' AND table <> 'schema_migrations'
      ORDER BY table, position`)
    return Map.groupBy(columns, ({ table }) => table)
  } finally {
    await stop()
  }
}

const describeAnalytics = (name: string, columns: readonly AnalyticsColumn[]): string =>
  [
    `### ${name}`,
    columns[0]?.about ?? '',
    `Engine: ${code(columns[0]?.engine ?? '')}`,
    describeColumns(columns.map(column => ({ ...column, default: column.default === '' ? null : column.default }))),
  ].join('\n\n')

/** The page `docs/reference/schema.md`. Starts an embedded database of each kind, which takes some seconds. */
export const schemaPage = async (): Promise<string> => {
  const tables = await readTables()
  const analytics = await readAnalytics()
  const common = commonPolicies(tables)
  return page(
    'Schema',
    'What a table or a column is for stands in SQL, as its comment.',
    '## PostgreSQL',
    'What most tables mean by a policy of a name; a table says what it means where that differs:',
    [...common].map(([name, rule]) => `- ${name}: ${rule}`).join('\n'),
    ...tables.map(table => describeTable(table, common)),
    '## ClickHouse',
    ...[...analytics].map(([name, columns]) => describeAnalytics(name, columns)),
  )
}
