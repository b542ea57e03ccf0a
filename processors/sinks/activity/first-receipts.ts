import type { Analytics } from '../../../infra/clickhouse/port.ts'
import type { ActivityRecord } from '../../../schemas/events/activity.ts'

const FIRST_RECEIPTS = `
  SELECT signal_id, toUnixTimestamp64Milli(min(received_at)) AS received_at
  FROM first_receipts
  WHERE workspace_id IN {workspace_ids: Array(UUID)} AND signal_id IN {signal_ids: Array(UUID)}
  GROUP BY signal_id`

const IDS_PER_QUERY = 1000

/** The version of ids that are derived, and so the same for a sender's retry. */
const isDerived = (id: string): boolean => id[14] === '5'

/**
 * The events with each signal's at the time of its first receipt. A sender that repeats a request under its key makes a second record
 * of the same signal, received later, whose events have the ids of the first one's: with its time, too, they are found and left out.
 */
export const atFirstReceipt = async (
  analytics: Analytics,
  events: readonly ActivityRecord[],
): Promise<readonly ActivityRecord[]> => {
  const first = new Map<string, number>()
  const repeatable = events.filter(({ kind, subject_id }) => kind.startsWith('signal.') && isDerived(subject_id))
  for (const { subject_id, occurred_at } of repeatable) {
    first.set(subject_id, Math.min(occurred_at, first.get(subject_id) ?? occurred_at))
  }
  const ids = [...first.keys()]
  for (let start = 0; start < ids.length; start += IDS_PER_QUERY) {
    const rows = await analytics.query<{ readonly signal_id: string; readonly received_at: number }>(FIRST_RECEIPTS, {
      workspace_ids: [...new Set(repeatable.map(event => event.workspace_id))],
      signal_ids: ids.slice(start, start + IDS_PER_QUERY),
    })
    for (const { signal_id, received_at } of rows) first.set(signal_id, received_at)
  }
  return events.map(event => ({ ...event, occurred_at: first.get(event.subject_id) ?? event.occurred_at }))
}
