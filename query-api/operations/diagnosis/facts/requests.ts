import type { Analytics } from '../../../../infra/clickhouse/port.ts'
import { activityRows } from '../../../../model/activity/activity-rows.ts'
import type { SourceId, WorkspaceId } from '../../../../schemas/domain/ids.ts'
import { type LastDay, lastDayOf } from '../../sources/last-day.ts'

/** What came to a source. */
export interface SourceRequests {
  readonly lastDay: LastDay
  /** Events of a code host in the last 30 days, by their names. */
  readonly events: Readonly<Record<string, number>>
}

const EVENT_DAYS = 30
const DAY_MS = 86_400_000

interface EventRow {
  readonly source_id: SourceId
  readonly outcome: string
  readonly events: number
}

/** Rejects while the analytics are away. */
export const sourceRequestFacts = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  { sources, now }: { readonly sources: readonly SourceId[]; readonly now: Date },
): Promise<(source: SourceId) => SourceRequests> => {
  const lastDay = await lastDayOf(analytics, workspaceId, { sources, now })
  const rows = await activityRows<EventRow>(analytics, workspaceId, {
    select: 'source_id, outcome, count() AS events',
    where: [`kind = 'code_host.event'`, 'occurred_at >= {since: DateTime64(3)}'],
    groupBy: ['source_id', 'outcome'],
    parameters: { since: new Date(now.getTime() - EVENT_DAYS * DAY_MS) },
  })
  return source => ({
    lastDay: lastDay(source),
    events: Object.fromEntries(
      rows.filter(({ source_id }) => source_id === source).map(({ outcome, events }) => [outcome, events]),
    ),
  })
}
