import type { Analytics } from '../../infra/clickhouse/port.ts'
import { DAY_MS, HOUR_MS } from '../../schemas/domain/durations.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { OfErasure } from './erasures.ts'
import { ERASED } from './words.ts'

const IDS_A_BLOCK = 10_000

/** Stores signals' ids in ClickHouse, so that one mutation finds all of them. A repeated block is stored once. */
export const noteSubjects = async (
  analytics: Analytics,
  { workspaceId, erasureId }: OfErasure,
  ids: readonly SignalId[],
): Promise<void> => {
  for (let start = 0; start < ids.length; start += IDS_A_BLOCK) {
    const block = ids.slice(start, start + IDS_A_BLOCK)
    const rows = block.map(subject_id => ({ workspace_id: workspaceId, erasure_id: erasureId, subject_id }))
    await analytics.insert('erased_subjects', rows, `${erasureId} ${block[0]} ${block.at(-1)}`)
  }
}

const OF_ERASURE = 'SELECT subject_id FROM erased_subjects WHERE erasure_id = {erasure: UUID}'
const ACTIVITY = `workspace_id = {workspace: UUID} AND subject_id IN (${OF_ERASURE})`
const RECEIPTS = `workspace_id = {workspace: UUID} AND signal_id IN (
  SELECT toUUID(subject_id) FROM erased_subjects WHERE erasure_id = {erasure: UUID})`

/** Two's complement of an unsigned sum: adding it subtracts, because sums wrap at 2^64. */
const taken = (sum: string): string => `toString(toUInt64(-toInt64(${sum})))`
const bucket = (column: string): string =>
  `map(if(${column} < 0.001, -32768, toInt16(floor(log(least(${column}, 1e12)) / log(101 / 99)))), toUInt64(1))`
const histogram = (column: string, kinds: string): string =>
  `CAST(mapApply((k, v) -> (toString(k), ${taken('v')}), sumMapIf(${bucket(column)}, kind IN (${kinds}))), 'Map(String, String)')`
const movedHistogram = (column: string, kinds: string): string =>
  `CAST(mapApply((k, v) -> (toString(k), toString(-v)), sumMapIf(mapApply((k, v) -> (k, toInt64(v) * moved.2), ${bucket(column)}), kind IN (${kinds}))), 'Map(String, String)')`

const DIMENSIONS = 'kind, step, outcome, channel, classification, tool, mode'
const FROM = "toDateTime64('1970-01-02 00:00:00', 3, 'UTC')"
const TO = "toDateTime64('2100-01-01 00:00:00', 3, 'UTC')"

/**
 * Rollup rows that subtract these events, in the form of `0004_activity_rollups.sql` and `0005_when_it_happened.sql`.
 */
const rollup = (start: string): string => `
  SELECT workspace_id, toUnixTimestamp(${start}(toDateTime(occurred_at, 'UTC'))) AS at, ${DIMENSIONS},
    ${taken('sum(toUInt64(activity.times))')} AS times, ${taken('sum(toUInt64(activity.work_units))')} AS work_units,
    ${histogram('duration_ms', "'signal.step', 'tool.call'")} AS durations, ${histogram('elapsed_ms', "'signal.step'")} AS elapsed
  FROM activity
  WHERE ${ACTIVITY} AND occurred_at >= ${FROM} AND occurred_at < ${TO}
  GROUP BY workspace_id, at, ${DIMENSIONS} ORDER BY at, ${DIMENSIONS}`

const moved = (start: string, periodMs: number): string => `
  SELECT workspace_id, toUnixTimestamp(${start}(toDateTime(moved.1, 'UTC'))) AS at, ${DIMENSIONS},
    toString(-sum(moved.2 * toInt64(activity.times))) AS times, toString(-sum(moved.2 * toInt64(activity.work_units))) AS work_units,
    ${movedHistogram('duration_ms', "'signal.step', 'tool.call'")} AS durations, ${movedHistogram('elapsed_ms', "'signal.step'")} AS elapsed
  FROM activity
  ARRAY JOIN [(occurred_at, toInt64(-1)), (happened_at, toInt64(1))] AS moved
  WHERE ${ACTIVITY}
    AND intDiv(toUnixTimestamp64Milli(occurred_at), ${periodMs}) != intDiv(toUnixTimestamp64Milli(happened_at), ${periodMs})
    AND moved.1 >= ${FROM} AND moved.1 < ${TO}
  GROUP BY workspace_id, at, ${DIMENSIONS} ORDER BY at, ${DIMENSIONS}`

const ROLLUPS: Readonly<Record<string, string>> = {
  activity_by_hour: rollup('toStartOfHour'),
  activity_by_day: rollup('toStartOfDay'),
  activity_moved_by_hour: moved('toStartOfHour', HOUR_MS),
  activity_moved_by_day: moved('toStartOfDay', DAY_MS),
}

const ROWS_A_BLOCK = 10_000

const COUNT = `
  SELECT (SELECT count() FROM activity WHERE ${ACTIVITY}) + (SELECT count() FROM first_receipts WHERE ${RECEIPTS}) AS events`

/** Number of ClickHouse's rows of the noted signals. */
export const countActivity = async (analytics: Analytics, { workspaceId, erasureId }: OfErasure): Promise<number> => {
  const [row] = await analytics.query<{ events: number }>(COUNT, { workspace: workspaceId, erasure: erasureId })
  return row?.events ?? 0
}

/**
 * Removes all activity of the noted signals from ClickHouse, and subtracts it from the sums. Resolves once no query
 * sees it. A repetition after a crash subtracts nothing twice, because blocks with the same token count once. Rejects
 * with `unavailable` while ClickHouse is away.
 */
export const removeActivityOf = async (analytics: Analytics, erasure: OfErasure): Promise<number> => {
  const parameters = { workspace: erasure.workspaceId, erasure: erasure.erasureId }
  const events = await countActivity(analytics, erasure)
  if (events === 0) return 0
  for (const [table, statement] of Object.entries(ROLLUPS)) {
    const rows = await analytics.query(statement, parameters)
    for (let start = 0; start < rows.length; start += ROWS_A_BLOCK) {
      const token = `${erasure.erasureId} ${table} ${start}`
      await analytics.insert(table, rows.slice(start, start + ROWS_A_BLOCK), token)
    }
  }
  await analytics.remove('activity', ACTIVITY, parameters)
  await analytics.remove('first_receipts', RECEIPTS, parameters)
  return events
}

/** Removes the noted ids, after everything else. */
export const forgetSubjects = (analytics: Analytics, { erasureId }: OfErasure): Promise<void> =>
  analytics.remove('erased_subjects', 'erasure_id = {erasure: UUID}', { erasure: erasureId })

/** Texts in activity: senders' names for sources, members, agents and reasons of Decisions. */
const WRITTEN = ['actor', 'source', 'reason'] as const
const WITH_WORDS = `workspace_id = {workspace: UUID} AND (${WRITTEN.map(column => `match(${column}, {pattern: String})`).join(' OR ')})`
const WORDS = `SELECT count() AS rows FROM activity WHERE ${WITH_WORDS}`

/** Number of the workspace's events with words that match a pattern (RE2). */
export const countActivityWith = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  pattern: string,
): Promise<number> =>
  (await analytics.query<{ rows: number }>(WORDS, { workspace: workspaceId, pattern }))[0]?.rows ?? 0

/**
 * Masks the words in the workspace's other events; sums hold none of them. Resolves once no query sees them, with the
 * number of changed events.
 */
export const maskActivity = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  pattern: string,
): Promise<number> => {
  const events = await countActivityWith(analytics, workspaceId, pattern)
  if (events === 0) return 0
  // Replaces twice, because a separator between two matches belongs to both.
  const masked = (value: string) => `replaceRegexpAll(${value}, {pattern: String}, '\\\\1${ERASED}\\\\2')`
  const values = Object.fromEntries(WRITTEN.map(column => [column, masked(masked(column))]))
  await analytics.rewrite('activity', values, WITH_WORDS, { workspace: workspaceId, pattern })
  return events
}
