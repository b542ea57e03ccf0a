import type { Analytics } from '../../../infra/clickhouse/port.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'

/** The clauses of a query on `activity`, made of constants and names from allow-lists; values are bound as `{name: Type}`, times as `Date`. */
export interface ActivityQuery {
  readonly select: string
  readonly where?: readonly string[]
  readonly groupBy?: readonly string[]
  readonly having?: string
  readonly orderBy?: string
  readonly limit?: number
  readonly offset?: number
  readonly parameters?: Readonly<Record<string, unknown>>
}

/** Runs a query on the activity of one workspace. This is the one place where the workspace's predicate is added. */
export const activityRows = <Row extends object>(
  analytics: Analytics,
  workspaceId: WorkspaceId,
  query: ActivityQuery,
): Promise<Row[]> => {
  const { select, where = [], groupBy = [], having, orderBy, limit, offset = 0, parameters = {} } = query
  const clauses = [
    `SELECT ${select}`,
    'FROM activity',
    `WHERE ${['workspace_id = {workspace: UUID}', ...where].join(' AND ')}`,
    groupBy.length > 0 ? `GROUP BY ${groupBy.join(', ')}` : '',
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
