import { firstSentence, page } from './reference.ts'
import {
  type AnalyticsColumn,
  type Column,
  type Constraint,
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

/** By column, the table it refers to; the workspace's own is said once, for all tables. */
const referencesOf = (constraints: readonly Constraint[]): readonly (readonly [string, string])[] =>
  constraints
    .filter(({ kind, target }) => kind === 'foreign' && target !== 'workspaces')
    .map(({ columns, target, deleting }) => [
      columns.find(name => name !== 'workspace_id') ?? '',
      `${deleting === 'cascade' ? '⇒' : '→'}${code(target)}`,
    ])

/** By column, the values that a check allows. */
const valuesOf = (constraints: readonly Constraint[]): readonly (readonly [string, string])[] =>
  constraints.flatMap(({ definition }) => {
    const [, name, values] = /^CHECK \(\((\w+) IN \(([^)]*)\)\)\)$/.exec(short(definition)) ?? []
    return name === undefined || values === undefined ? [] : [[name, ` of ${code(values)}`]]
  })

/** What a column holds; what stands behind a semicolon says when it is empty, or why. */
const firstClause = (comment: string): string => firstSentence(comment).replace(/;.*$/, '.')

const describeColumns = (
  columns: readonly Column[],
  key: readonly string[] = [],
  more: ReadonlyMap<string, string> = new Map(),
): string => {
  const described = ({ name, type }: Column): string => {
    const column = code(type.endsWith('?') ? `${name}?` : name)
    return (key.includes(name) ? `**${column}**` : column) + (more.get(name) ?? '')
  }
  const plain = columns.filter(({ comment }) => (comment ?? '') === '').map(described)
  const explained = columns
    .filter(({ comment }) => (comment ?? '') !== '')
    .map(column => `- ${described(column)}: ${firstClause(column.comment ?? '')}`)
  return [...(plain.length === 0 ? [] : [`- ${plain.join(', ')}`]), ...explained].join('\n')
}

const describeTable = ({ name, comment, columns, constraints }: Table): string => {
  const more = Map.groupBy([...valuesOf(constraints), ...referencesOf(constraints)], ([column]) => column)
  const key = constraints.find(({ kind }) => kind === 'primary')?.columns ?? []
  const joined = new Map([...more].map(([column, parts]) => [column, parts.map(([, part]) => part).join('')]))
  return [`### ${name}`, firstSentence(comment ?? ''), describeColumns(columns, key, joined)].join('\n\n')
}

const describeAnalytics = (name: string, columns: readonly AnalyticsColumn[]): string =>
  [`### ${name}`, firstSentence(columns[0]?.about ?? ''), describeColumns(columns)].join('\n\n')

/** The page `docs/reference/schema.md`. Starts an embedded database of each kind, which takes some seconds. */
export const schemaPage = async (): Promise<string> => {
  const tables = await readTables()
  const analytics = await readAnalytics()
  return page(
    'Schema',
    'Tables and columns, each with the beginning of its comment in SQL. `psql` shows the rest by `\\d+` and ' +
      '`\\dp`: whole comments, types, defaults, indexes, checks, rights and row policies.',
    'The primary key is bold. `?`: may be null. `→` names the table that a column refers to; `⇒`: the row goes with ' +
      'that one.',
    '## PostgreSQL',
    'Each `workspace_id` refers to `workspaces`.',
    ...tables.map(describeTable),
    '## ClickHouse',
    ...[...analytics].map(([name, columns]) => describeAnalytics(name, columns)),
  )
}
