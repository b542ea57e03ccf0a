import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'

/** The events of a signal are read by the ledger: they go with their signal. */
const NOT_OF_SIGNALS = `workspace_id = {workspace: UUID} AND kind NOT LIKE 'signal.%'`
const BEFORE = 'fromUnixTimestamp64Milli({before: Int64})'
const OLD = `${NOT_OF_SIGNALS} AND occurred_at < ${BEFORE}`

/** Sums by hour and by day, which are whole days behind the same moment. */
const SUMS = ['activity_by_hour', 'activity_by_day', 'activity_moved_by_hour', 'activity_moved_by_day']

const parametersOf = (workspaceId: WorkspaceId, before: string) => ({
  workspace: workspaceId,
  before: Date.parse(before),
})

/**
 * How many events beside those of signals happened before a moment. Rejects with `unavailable` while ClickHouse is
 * away.
 */
export const countOldActivity = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  before: string,
): Promise<number> => {
  const statement = `SELECT count() AS events FROM activity WHERE ${OLD}`
  const [row] = await analytics.query<{ events: number | string }>(statement, parametersOf(workspaceId, before))
  return Number(row?.events ?? 0)
}

/**
 * Removes what happened before the beginning of a day, and what the sums have of it, beside the events of signals.
 * Answers how many events. Resolves once no query sees them.
 */
export const removeOldActivity = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  before: string,
): Promise<number> => {
  const events = await countOldActivity(analytics, workspaceId, before)
  if (events === 0) return 0
  const parameters = parametersOf(workspaceId, before)
  for (const table of SUMS) await analytics.remove(table, `${NOT_OF_SIGNALS} AND at < ${BEFORE}`, parameters)
  await analytics.remove('activity', OLD, parameters)
  return events
}
