import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import type { ActivityRecord } from '../../schemas/events/activity.ts'
import { MAX_NEAREST } from '../words/nearest-names.ts'
import { FIELDS, type Field } from './activity-question.ts'

/** A table of activity with columns and conditions. */
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

/**
 * Clauses of a query on `activity`. Their text consists of constants and names from allow-lists; values are bound as
 * `{name: Type}`, times as `Date`.
 */
export interface ActivityQuery {
  readonly select: string
  /** Conditions on `activity`, all of which must hold; `parts` reads several tables, one after the other. */
  readonly where?: readonly string[]
  readonly parts?: readonly ActivityPart[]
  readonly groupBy?: readonly string[]
  readonly having?: string
  readonly orderBy?: string
  readonly limit?: number
  readonly offset?: number
  readonly parameters?: Readonly<Record<string, unknown>>
}

/** Adds the condition on the workspace. No other code does. */
const ofWorkspace = (table: ActivityPart['table'], where: readonly string[]): string =>
  `FROM ${table}\nWHERE ${['workspace_id = {workspace: UUID}', ...where.map(condition => `(${condition})`)].join(' AND ')}`

const grouped = (by: readonly string[]): string => (by.length > 0 ? `GROUP BY ${by.join(', ')}` : '')

const partOf = ({ table, select, where, groupBy = [] }: ActivityPart): string =>
  `SELECT ${select}\n${ofWorkspace(table, where)}\n${grouped(groupBy)}`

/**
 * Runs a query on the activity of one workspace.
 *
 * @example
 * await activityRows<{ count: number }>(analytics, workspaceId, { select: 'count() AS count', where: [BECAME_SIGNAL] })
 */
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

/** Letter cases of one name. */
const MAX_SPELLINGS = 1000

/** Stored values of a field, by the requested value in any letter case. */
export const storedValues = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  field: Field,
  values: readonly string[],
): Promise<readonly string[]> => {
  const column = FIELDS[field]
  const rows = await activityRows<{ readonly value: string }>(analytics, workspaceId, {
    select: `DISTINCT ${column} AS value`,
    where: [`lowerUTF8(${column}) IN {values: Array(String)}`],
    parameters: { values: values.map(value => value.trim().toLowerCase()) },
    limit: MAX_SPELLINGS,
  })
  return rows.map(({ value }) => value)
}

/** Stored values of a field whose spelling is nearest to a value that no event has, the nearest first. */
export const nearestValues = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  field: Field,
  value: string,
): Promise<readonly string[]> => {
  const column = FIELDS[field]
  const nearest = await activityRows<{ readonly value: string }>(analytics, workspaceId, {
    select: `${column} AS value`,
    where: [`${column} != ''`],
    groupBy: ['value'],
    orderBy: 'ngramDistanceCaseInsensitiveUTF8(value, {value: String}), value',
    limit: MAX_NEAREST,
    parameters: { value },
  })
  return nearest.map(row => row.value)
}

/** A step's work on a signal at one attempt, or the signal's receipt or death. */
export interface TraceRow {
  /** `received`, or the step's name. */
  readonly step: string
  readonly ordinal: number
  readonly outcome: string
  /** Empty unless the signal died. */
  readonly fault: string
  readonly reason: string
  readonly version: string
  readonly attempt: number
  readonly replay: number
  readonly duration_ms: number
  readonly elapsed_ms: number
  readonly channel: string
  readonly source_id: string
  /** Receipt of the signal, milliseconds since the epoch. */
  readonly received_ms: number
}

const MAX_STEPS = 1000

/** A signal whose trace is read. */
export interface FollowedSignal {
  readonly id: string
  /** Receipt by the signal's row, if there is one. */
  readonly receivedAt?: Date | undefined
}

/** A row may have the time of a later receipt; events have the first one's. */
const RECEIVED_WITHIN_MS = 1000

/** A signal's way through the pipeline in the order of time, as far as its activity has reached ClickHouse. */
export const readTrace = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  { id, receivedAt }: FollowedSignal,
): Promise<TraceRow[]> => {
  const read = (where: readonly string[], times: Readonly<Record<string, Date>>) =>
    activityRows<TraceRow>(analytics, workspaceId, {
      select: `if(kind = 'signal.received', 'received', activity.step) AS step, step_ordinal AS ordinal,
        multiIf(kind = 'signal.received', 'received', kind = 'signal.dead_letter', 'dead_letter', activity.outcome) AS outcome,
        if(kind = 'signal.dead_letter', activity.outcome, '') AS fault, reason, version, attempt, replay, duration_ms, elapsed_ms,
        channel, source_id, toUnixTimestamp64Milli(occurred_at) AS received_ms`,
      where: [
        `kind IN ('signal.received', 'signal.step', 'signal.dead_letter')`,
        'subject_id = {signal: String}',
        ...where,
      ],
      orderBy: `elapsed_ms, replay, ordinal, attempt, kind = 'signal.dead_letter'`,
      limit: MAX_STEPS,
      parameters: { ...times, signal: id },
    })
  if (receivedAt !== undefined) {
    // All events of a signal have its receipt's time, so the table's order finds them.
    const rows = await read(['occurred_at >= {from: DateTime64(3)}', 'occurred_at <= {to: DateTime64(3)}'], {
      from: new Date(receivedAt.getTime() - RECEIVED_WITHIN_MS),
      to: new Date(receivedAt.getTime() + RECEIVED_WITHIN_MS),
    })
    if (rows.some(({ ordinal }) => ordinal === 0)) return rows
  }
  return read([], {})
}

const INSERT = `
  insert into outbox (workspace_id, activity)
  select (record ->> 'workspace_id')::uuid, record from jsonb_array_elements($1::jsonb) as record`

/** Puts activity into the outbox. The relay sends it to the log after the commit. */
export const recordActivity = async (transaction: Transaction, records: readonly ActivityRecord[]): Promise<void> => {
  await transaction.query(INSERT, [JSON.stringify(records)])
}
