import { type Static, Type } from 'typebox'
import type { Analytics } from '../../../infra/clickhouse/port.ts'
import { type RequestCount, requestsSince } from '../../../model/sources/source-requests.ts'
import { DAY_MS } from '../../../schemas/domain/durations.ts'
import type { SourceId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import { nullable } from '../parts/fields.ts'

export const Refusals = Type.Array(Type.Object({ reason: Type.String(), count: Type.Integer() }), {
  description: 'By reason, the most frequent first.',
})
export type Refusals = Static<typeof Refusals>

/** Null: the analytics are away, or for the last time: nothing ever came. */
export const LastDay = Type.Object({
  last_seen_at: nullable(Type.String({ description: 'ISO 8601, UTC. When a request last came, accepted or refused.' })),
  accepted_last_day: nullable(Type.Integer()),
  refused_last_day: nullable(Type.Integer()),
  refusals_last_day: nullable(Refusals),
})
export type LastDay = Static<typeof LastDay>

const AWAY: LastDay = { last_seen_at: null, accepted_last_day: null, refused_last_day: null, refusals_last_day: null }

type Row = RequestCount & { readonly last: string; readonly first_ms: number }

/** When the first request came that was refused for a reason, milliseconds since the epoch, by reason. */
type FirstRefusals = ReadonlyMap<string, number>

/** What came to each source in the 24 hours before `now`. */
export const lastDayOf = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  { sources, now }: { readonly sources: readonly SourceId[]; readonly now: Date },
): Promise<(source: SourceId) => LastDay> => {
  const rows = await requestsOfDay(analytics, workspaceId, { sources, now })
  return source => (rows === null ? AWAY : inSum(rows.filter(row => row.source_id === source)))
}

/** As `lastDayOf`, with when what was refused began. */
export const refusalsOfDay = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  { sources, now }: { readonly sources: readonly SourceId[]; readonly now: Date },
): Promise<(source: SourceId) => { readonly lastDay: LastDay; readonly firstRefusals: FirstRefusals }> => {
  const rows = await requestsOfDay(analytics, workspaceId, { sources, now })
  return source => {
    if (rows === null) return { lastDay: AWAY, firstRefusals: new Map() }
    const own = rows.filter(row => row.source_id === source)
    const firstRefusals = new Map(own.map(({ refused_for, first_ms }) => [refused_for, first_ms]))
    return { lastDay: inSum(own), firstRefusals }
  }
}

const requestsOfDay = (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  { sources, now }: { readonly sources: readonly SourceId[]; readonly now: Date },
): Promise<readonly Row[] | null> =>
  requestsSince({ analytics, workspaceId, sources }, new Date(now.getTime() - DAY_MS))

const inSum = (rows: readonly Row[]): LastDay => {
  const refusals = refusalsOf(rows)
  return {
    last_seen_at:
      rows
        .map(({ last }) => last)
        .sort()
        .at(-1) ?? null,
    accepted_last_day: rows.find(row => row.refused_for === '')?.requests ?? 0,
    refused_last_day: refusals.reduce((sum, { count }) => sum + count, 0),
    refusals_last_day: refusals,
  }
}

export const refusalsOf = (rows: readonly RequestCount[]): Refusals =>
  rows
    .filter(row => row.refused_for !== '' && row.requests > 0)
    .map(row => ({ reason: row.refused_for, count: row.requests }))
    .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
