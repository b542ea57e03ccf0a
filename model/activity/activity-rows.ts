import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'

/** A table of activity, and what is taken of it. */
export interface ActivityPart {
  readonly table:
    | 'activity'
    | 'activity_by_hour'
    | 'activity_by_day'
    | 'activity_moved_by_hour'
    | 'activity_moved_by_day'
  readonly select: string
  readonly where: readonly string[]
  readonly groupBy?: readonly string[]
}

/** The clauses of a query on `activity`, made of constants and names from allow-lists; values are bound as `{name: Type}`, times as `Date`. */
export interface ActivityQuery {
  readonly select: string
  /** What is read: rows of `activity` that fulfil all of these, or the rows of several parts after one another. */
  readonly where?: readonly string[]
  readonly parts?: readonly ActivityPart[]
  readonly groupBy?: readonly string[]
  readonly having?: string
  readonly orderBy?: string
  readonly limit?: number
  readonly offset?: number
  readonly parameters?: Readonly<Record<string, unknown>>
}

/** The one place where the workspace's predicate is added. */
const ofWorkspace = (table: ActivityPart['table'], where: readonly string[]): string =>
  `FROM ${table}\nWHERE ${['workspace_id = {workspace: UUID}', ...where.map(condition => `(${condition})`)].join(' AND ')}`

const grouped = (by: readonly string[]): string => (by.length > 0 ? `GROUP BY ${by.join(', ')}` : '')

const partOf = ({ table, select, where, groupBy = [] }: ActivityPart): string =>
  `SELECT ${select}\n${ofWorkspace(table, where)}\n${grouped(groupBy)}`

/** Runs a query on the activity of one workspace. */
export const activityRows = <Row extends object>(
  analytics: Analytics,
  workspaceId: WorkspaceId,
  query: ActivityQuery,
): Promise<Row[]> => {
  const { select, where = [], parts, groupBy = [], having, orderBy, limit, offset = 0, parameters = {} } = query
  const clauses = [
    `SELECT ${select}`,
    parts === undefined ? ofWorkspace('activity', where) : `FROM (${parts.map(partOf).join('\nUNION ALL\n')})`,
    grouped(groupBy),
    having === undefined ? '' : `HAVING ${having}`,
    orderBy === undefined ? '' : `ORDER BY ${orderBy}`,
    limit === undefined ? '' : 'LIMIT {limit: UInt32} OFFSET {offset: UInt32}',
  ]
  return analytics.query<Row>(clauses.filter(clause => clause !== '').join('\n'), {
    ...parameters,
    workspace: workspaceId,
    ...(limit === undefined ? {} : { limit, offset }),
  })
}
