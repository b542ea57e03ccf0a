import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'

/** A span of time that ClickHouse counts in one go: from one hour to before another. */
interface Window {
  readonly from: Date
  readonly to: Date
}

/** About what an aggregation holds some tens of megabytes for. */
const EVENTS_A_WINDOW = 500_000
const HOUR_MS = 3_600_000

const HOURS = `
  SELECT toUnixTimestamp(toStartOfHour(occurred_at)) AS hour, count() AS events
  FROM activity
  WHERE workspace_id IN {workspace_ids: Array(UUID)}
  GROUP BY hour
  ORDER BY hour`

interface Hour {
  /** When it begins, in seconds since the epoch. */
  readonly hour: number
  readonly events: number
}

/** Hours, in their order, gathered into windows of at most so many events; an hour with more is a window by itself. */
export const mergeWindows = (hours: readonly Hour[], atMost: number): readonly Window[] => {
  const windows: (Window & { readonly events: number })[] = []
  for (const { hour, events } of hours) {
    const last = windows.at(-1)
    const to = new Date(hour * 1000 + HOUR_MS)
    if (last === undefined || last.events + events > atMost) {
      windows.push({ from: new Date(hour * 1000), to, events })
    } else {
      windows.splice(-1, 1, { from: last.from, to, events: last.events + events })
    }
  }
  return windows.map(({ from, to }) => ({ from, to }))
}

/**
 * The time of the workspaces' activity in windows. All events of a signal carry the time of its receipt, so that a window has all of a
 * signal or nothing, and what windows count adds up.
 */
export const readWindows = async (
  analytics: Analytics,
  workspaceIds: readonly WorkspaceId[],
): Promise<readonly Window[]> =>
  mergeWindows(await analytics.query<Hour>(HOURS, { workspace_ids: workspaceIds }), EVENTS_A_WINDOW)
