import { page } from './reference.ts'
import {
  type AnalyticsColumn,
  type Column,
  type Constraint,
  type Grant,
  type Policy,
  readAnalytics,
  readTables,
  type Table,
} from './schema-catalogue.ts'

/** As one would write it, where Postgres says it at greater length. */
const short = (sql: string): string =>
  sql
    .replaceAll(/::(text|jsonb)(?!\w|\[)/g, '')
    .replaceAll('timestamp with time zone', 'timestamptz')
    .replaceAll(/= ANY \(ARRAY\[([^\]]*)\]\)/g, 'IN ($1)')
    .trim()
    .replaceAll(/\s+/g, ' ')

const code = (text: string): string => `\`${text}\``

/** The most frequent value of each key, and how many pairs have it. */
const mostFrequent = (pairs: readonly (readonly [key: string, value: string])[]) =>
  new Map(
    [...Map.groupBy(pairs, ([key]) => key)].map(([key, ofKey]) => {
      const times = [...Map.groupBy(ofKey, ([, value]) => value)].map(([value, same]) => [value, same.length] as const)
      return [key, times.reduce((best, one) => (one[1] > best[1] ? one : best))]
    }),
  )

/** Columns of a name that so many tables have alike are described once. */
const MIN_FREQUENT = 4

const typeOf = (column: Column): string =>
  short(column.default === null ? column.type : `${column.type} = ${column.default}`)

const frequentTypes = (columns: readonly Column[]): ReadonlyMap<string, string> =>
  new Map(
    [...mostFrequent(columns.map(column => [column.name, typeOf(column)]))]
      .filter(([, [, times]]) => times >= MIN_FREQUENT)
      .map(([name, [type]]) => [name, type]),
  )

const describeFrequent = (types: ReadonlyMap<string, string>): string =>
  [
    'A column without a type has that of this list:',
    '',
    ...[...Map.groupBy(types, ([, type]) => type)].map(
      ([type, names]) => `- ${code(type)}: ${names.map(([name]) => code(name)).join(', ')}`,
    ),
  ].join('\n')

/** By column, the table it refers to; the workspace's own is said once, for all tables. */
const referencesOf = (constraints: readonly Constraint[]): readonly (readonly [string, string])[] =>
  constraints
    .filter(({ kind, target }) => kind === 'foreign' && target !== 'workspaces')
    .map(({ columns, target, deleting }) => [
      columns.find(name => name !== 'workspace_id') ?? '',
      ` → ${code(target)}${deleting === null ? '' : ` (${deleting})`}`,
    ])

/** By column, the values that a check allows. */
const valuesOf = (constraints: readonly Constraint[]): readonly (readonly [string, string])[] =>
  constraints.flatMap(({ definition }) => {
    const [, name, values] = /^CHECK \(\((\w+) IN \(([^)]*)\)\)\)$/.exec(short(definition)) ?? []
    return name === undefined || values === undefined ? [] : [[name, ` of ${code(values)}`]]
  })

const describeColumns = (
  columns: readonly Column[],
  frequent: ReadonlyMap<string, string>,
  more: ReadonlyMap<string, string> = new Map(),
): string => {
  const described = (column: Column): string => {
    const { name } = column
    const type = frequent.get(name) === typeOf(column) ? '' : ` ${typeOf(column)}`
    return code(`${name}${type}`) + (more.get(name) ?? '')
  }
  const plain = columns.filter(({ comment }) => (comment ?? '') === '').map(described)
  const explained = columns
    .filter(({ comment }) => (comment ?? '') !== '')
    .map(column => `- ${described(column)}: ${column.comment}`)
  return [...(plain.length === 0 ? [] : [`- ${plain.join(', ')}`]), ...explained].join('\n')
}

const roleOf = (role: string): string => role.replaceAll('assay_', '')

const UPKEEP = ['erasure', 'sandbox', 'transfer']
const ALL_RIGHTS = 'arwd'

const describeGrants = (grants: readonly Grant[]): string => {
  const byRole = new Map(
    grants.map(({ role, rights }) => {
      const letters = [...ALL_RIGHTS].filter(letter => rights.includes(letter)).join('')
      const ofColumns = rights.filter(right => right.includes('('))
      return [roleOf(role), [...(letters === '' ? [] : [letters]), ...ofColumns].join(', ')]
    }),
  )
  const isUsual = UPKEEP.every(role => byRole.get(role) === ALL_RIGHTS)
  const others = [...byRole].filter(([role]) => !(isUsual && UPKEEP.includes(role)))
  return [...others.map(([role, rights]) => `${role} ${rights}`), ...(isUsual ? ['upkeep'] : [])].join('; ')
}

/** `IS TRUE`: some policies have it for the planner's sake; the rows are the same. */
const ruleOf = ({ role, command, rows }: Policy): string =>
  `${roleOf(role)}, ${command}: ${code(short(rows).replace(/^\((.*) IS TRUE\)$/, '$1'))}`

/** The rule that most tables have under each name of a policy. */
const commonPolicies = (tables: readonly Table[]): ReadonlyMap<string, string> =>
  new Map(
    [
      ...mostFrequent(tables.flatMap(({ policies }) => policies.map(policy => [policy.name, ruleOf(policy)] as const))),
    ].map(([name, [rule]]) => [name, rule]),
  )

/** Nothing where the common policy of its own name is what a role sees, and `all` where nothing restricts it. */
const describePolicies = ({ policies, grants }: Table, common: ReadonlyMap<string, string>): string => {
  if (policies.length === 0) return 'all'
  const isCommon = (policy: Policy): boolean => common.get(policy.name) === ruleOf(policy)
  const isUsual = policies.every(policy => isCommon(policy) && roleOf(policy.role) === policy.name)
  const hasOwn = (grant: Grant): boolean => policies.some(({ name }) => name === roleOf(grant.role))
  if (isUsual && grants.every(hasOwn)) return ''
  return policies.map(policy => (isCommon(policy) ? policy.name : `${policy.name}: ${ruleOf(policy)}`)).join('; ')
}

const describeTable = (table: Table, frequent: ReadonlyMap<string, string>, common: ReadonlyMap<string, string>) => {
  const { constraints } = table
  const more = Map.groupBy([...valuesOf(constraints), ...referencesOf(constraints)], ([name]) => name)
  const keysOf = (wanted: Constraint['kind']): string[] =>
    constraints.filter(({ kind }) => kind === wanted).map(({ columns }) => columns.join(', '))
  const uniqueIndexes = table.uniqueIndexes.map(index => short(index).replace(/^\(([\w, ]+)\)$/, '$1'))
  const facts = {
    Key: keysOf('primary').filter(key => key !== 'id'),
    Unique: [...keysOf('unique'), ...uniqueIndexes],
  }
  const access = { Rights: describeGrants(table.grants), Rows: describePolicies(table, common) }
  return [
    `### ${table.name}`,
    table.comment ?? '',
    [
      describeColumns(
        table.columns,
        frequent,
        new Map([...more].map(([name, parts]) => [name, parts.map(([, part]) => part).join('')])),
      ),
      ...Object.entries(facts).map(([title, keys]) =>
        keys.length === 0 ? '' : `- ${title}: ${keys.map(code).join('; ')}`,
      ),
      ...Object.entries(access).map(([title, text]) => (text === '' ? '' : `- ${title}: ${text}`)),
    ]
      .filter(line => line !== '')
      .join('\n'),
  ].join('\n\n')
}

const describeAnalytics = (
  name: string,
  columns: readonly AnalyticsColumn[],
  frequent: ReadonlyMap<string, string>,
): string =>
  [
    `### ${name}`,
    columns[0]?.about ?? '',
    [
      describeColumns(columns, frequent),
      `- Engine: ${code((columns[0]?.engine ?? '').replace(/ SETTINGS .*/, ''))}`,
    ].join('\n'),
  ].join('\n\n')

/** The page `docs/reference/schema.md`. Starts an embedded database of each kind, which takes some seconds. */
export const schemaPage = async (): Promise<string> => {
  const tables = await readTables()
  const analytics = await readAnalytics()
  const common = commonPolicies(tables)
  const frequent = frequentTypes(tables.flatMap(({ columns }) => columns))
  const frequentAnalytics = frequentTypes([...analytics.values()].flat())
  return page(
    'Schema',
    'What a table or a column is for is its comment in SQL. A question mark: may be null. `→` names the table that a ' +
      'column refers to, and what the end of that row does to this one. Other indexes and checks, triggers and ' +
      'settings of tables are in the migrations, and `psql` shows them by `\\d`.',
    '## PostgreSQL',
    describeFrequent(frequent),
    'Each `workspace_id` refers to `workspaces`. The primary key is `id`, or what stands as the key.',
    'Rights are written as PostgreSQL writes them: `r` select, `a` insert, `w` update, `d` delete, with the columns ' +
      `where it is not all of them. \`upkeep\`: the roles ${UPKEEP.join(', ')}, each with ${code(ALL_RIGHTS)}. The name of ` +
      'each role begins with `assay_`. A role sees the rows that the policy of its name allows. Where a table has ' +
      'other policies, all stand under its rows; `all`: it has none. The policies:',
    [...common].map(([name, rule]) => `- ${name}: ${rule}`).join('\n'),
    ...tables.map(table => describeTable(table, frequent, common)),
    '## ClickHouse',
    describeFrequent(frequentAnalytics),
    ...[...analytics].map(([name, columns]) => describeAnalytics(name, columns, frequentAnalytics)),
  )
}
