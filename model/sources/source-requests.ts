import type { Analytics } from '../../infra/clickhouse/port.ts'
import { isAssayError } from '../../infra/runtime/errors.ts'
import { DAY_MS } from '../../schemas/domain/durations.ts'
import type { SourceId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { type ActivityQuery, activityRows } from '../activity/activity-rows.ts'

/** Kinds of activity for a source's requests: three for accepted ones, one for refused ones. */
const OF_A_REQUEST = `kind IN ('signal.received', 'metric.received', 'code_host.event', 'source.refused')`

const REFUSED_FOR = `if(kind = 'source.refused', reason, '')`

/** Requests that a row stands for. A code host's signals are left out, because their events are counted. */
const REQUESTS = `if(kind = 'signal.received' AND channel = 'code_host', 0, times)`

/** Groups of the figures. */
export interface OfSource {
  readonly source_id: SourceId
  /** Reason of a refusal; empty for accepted requests. */
  readonly refused_for: string
}

/** Figures of some sources' requests, by source and reason; null while ClickHouse is away. */
const sourceRequests = async <Row extends object>(
  analytics: Analytics,
  workspace: WorkspaceId,
  sources: readonly SourceId[],
  { select, where = [], groupBy = [], parameters, ...rest }: ActivityQuery,
): Promise<(Row & OfSource)[] | null> => {
  if (sources.length === 0) return []
  try {
    return await activityRows<Row & OfSource>(analytics, workspace, {
      ...rest,
      select: `source_id, ${REFUSED_FOR} AS refused_for, ${select}`,
      where: [OF_A_REQUEST, 'source_id IN {sources: Array(String)}', ...where],
      groupBy: ['source_id', 'refused_for', ...groupBy],
      parameters: { ...parameters, sources },
    })
  } catch (error) {
    if (isAssayError(error) && error.retriable) return null
    throw error
  }
}

interface Sources {
  readonly analytics: Analytics
  readonly workspaceId: WorkspaceId
  readonly sources: readonly SourceId[]
}

export interface RequestCount extends OfSource {
  readonly requests: number
}

/**
 * Rows of a period, and earlier rows of sources without any in it. Such sources are few, so old rows are seldom read.
 * Null while ClickHouse is away.
 */
const withSilent = async <Row extends OfSource>(
  sources: readonly SourceId[],
  inSpan: (sources: readonly SourceId[]) => Promise<readonly Row[] | null>,
  before: (silent: readonly SourceId[]) => Promise<readonly Row[] | null>,
): Promise<Row[] | null> => {
  const rows = await inSpan(sources)
  const heard = new Set(rows?.map(({ source_id }) => source_id))
  const older = rows && (await before(sources.filter(source => !heard.has(source))))
  return rows && older && [...rows, ...older]
}

type RequestsSince = RequestCount & { readonly last: string; readonly first_ms: number }

/**
 * Time of the last request as ClickHouse writes it, the number of requests after `since`, and the time of the first of
 * them, milliseconds since the epoch.
 */
export const requestsSince = (
  { analytics, workspaceId, sources }: Sources,
  since: Date,
): Promise<RequestsSince[] | null> =>
  withSilent<RequestsSince>(
    sources,
    all =>
      sourceRequests(analytics, workspaceId, all, {
        select: `max(occurred_at) AS last, toUnixTimestamp64Milli(min(occurred_at)) AS first_ms, sum(${REQUESTS}) AS requests`,
        where: ['occurred_at > {since: DateTime64(3)}'],
        parameters: { since },
      }),
    silent =>
      sourceRequests(analytics, workspaceId, silent, {
        select: 'max(occurred_at) AS last, 0 AS first_ms, 0 AS requests',
        where: ['occurred_at <= {since: DateTime64(3)}'],
        parameters: { since },
      }),
  )

interface Span {
  readonly from: Date
  readonly to: Date
}

type RequestsWithin = RequestCount & { readonly last: number }

/** Number of requests in [`from`, `to`), and the time of the last request before `to`, milliseconds since the epoch. */
export const requestsWithin = (
  { analytics, workspaceId, sources }: Sources,
  { from, to }: Span,
): Promise<RequestsWithin[] | null> =>
  withSilent<RequestsWithin>(
    sources,
    all =>
      sourceRequests(analytics, workspaceId, all, {
        select: `sum(${REQUESTS}) AS requests, toUnixTimestamp64Milli(max(occurred_at)) AS last`,
        where: ['occurred_at >= {from: DateTime64(3)}', 'occurred_at < {to: DateTime64(3)}'],
        parameters: { from, to },
      }),
    silent =>
      sourceRequests(analytics, workspaceId, silent, {
        select: '0 AS requests, toUnixTimestamp64Milli(max(occurred_at)) AS last',
        where: ['occurred_at < {from: DateTime64(3)}'],
        parameters: { from },
      }),
  )

export interface HourlyRequests extends RequestCount {
  /** Start of the hour. */
  readonly hour: string
}

/** Requests from `from` to `to` by hour, oldest first. Hours without requests are left out. */
export const requestsByHour = (
  { analytics, workspaceId, sources }: Sources,
  { from, to }: Span,
): Promise<HourlyRequests[] | null> =>
  sourceRequests(analytics, workspaceId, sources, {
    select: `toStartOfHour(occurred_at) AS hour, sum(${REQUESTS}) AS requests`,
    where: ['occurred_at >= {from: DateTime64(3)}', 'occurred_at <= {to: DateTime64(3)}'],
    groupBy: ['hour'],
    orderBy: 'hour',
    parameters: { from, to },
  })

/** One request, or refusals within seconds for the same reason. */
export interface LastRequest extends RequestCount {
  /** Milliseconds since the epoch. */
  readonly at_ms: number
  /** Event of a code host; else empty. */
  readonly event: string
  /** The id that the sender got; empty for a metric. */
  readonly signal: string
}

/** Days back in which the last requests are searched, one after the other until there are enough. */
const LOOKED_BACK = [1, 30, 20_000]

/** The last `limit` requests before `now`, newest first. */
export const lastRequests = async (
  { analytics, workspaceId, sources }: Sources,
  now: Date,
  limit: number,
): Promise<LastRequest[] | null> => {
  let rows: LastRequest[] | null = []
  for (const days of LOOKED_BACK) {
    rows = await sourceRequests(analytics, workspaceId, sources, {
      select: `event_id, toUnixTimestamp64Milli(max(occurred_at)) AS at_ms, sum(${REQUESTS}) AS requests,
        any(if(kind = 'code_host.event', activity.outcome, '')) AS event, any(if(kind = 'metric.received', '', subject_id)) AS signal`,
      where: ['occurred_at > {after: DateTime64(3)}'],
      groupBy: ['event_id'],
      having: 'requests > 0',
      orderBy: 'at_ms DESC, event_id',
      limit,
      parameters: { after: new Date(now.getTime() - days * DAY_MS) },
    })
    if (rows === null || rows.length === limit) break
  }
  return rows
}

/** Events of code hosts after `since`, by source and event. Rejects while ClickHouse is away. */
export const codeHostEvents = async (
  { analytics, workspaceId, sources }: Sources,
  since: Date,
): Promise<{ readonly source_id: SourceId; readonly outcome: string; readonly events: number }[]> => {
  // Without sources, a month of activity would be read for nothing.
  if (sources.length === 0) return []
  return activityRows(analytics, workspaceId, {
    select: 'source_id, outcome, count() AS events',
    where: [
      `kind = 'code_host.event'`,
      'source_id IN {sources: Array(String)}',
      'occurred_at >= {since: DateTime64(3)}',
    ],
    groupBy: ['source_id', 'outcome'],
    parameters: { sources, since },
  })
}
