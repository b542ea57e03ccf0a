import type { Analytics } from '../../infra/clickhouse/port.ts'
import { isAssayError } from '../../infra/runtime/errors.ts'
import { DAY_MS } from '../../schemas/domain/durations.ts'
import type { SourceId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { type ActivityQuery, activityRows } from '../activity/activity-rows.ts'

/** What a source's endpoint accepts becomes activity of one of these kinds, and what it refuses another. */
const OF_A_REQUEST = `kind IN ('signal.received', 'metric.received', 'code_host.event', 'source.refused')`

const REFUSED_FOR = `if(kind = 'source.refused', reason, '')`

/**
 * How many requests a row stands for. A code host's signals are not counted beside the events that they were made of.
 */
const REQUESTS = `if(kind = 'signal.received' AND channel = 'code_host', 0, times)`

/** What the figures of requests are apart by. */
export interface OfSource {
  readonly source_id: SourceId
  /** Why the requests were refused; empty when they were accepted. */
  readonly refused_for: string
}

/**
 * Figures of the requests of some sources, by source and by why they were refused; null while the analytics are away.
 */
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

/** How many requests there were. */
export interface RequestCount extends OfSource {
  readonly requests: number
}

/**
 * The rows of a span, and those before it of sources of which nothing came meanwhile: few as a rule, so that what came
 * long ago is seldom read. Null while the analytics are away.
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
 * When a request last came, as ClickHouse writes it; how many came after `since`, and when the first of these, in
 * milliseconds since the epoch.
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

/**
 * How many requests came from `from` until before `to`, and when the last before `to` came, in milliseconds since the
 * epoch.
 */
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
  /** Its beginning. */
  readonly hour: string
}

/** The requests from `from` to `to` by hour, the oldest first; hours in which nothing came are left out. */
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

/** One request, or refusals within seconds for one reason. */
export interface LastRequest extends RequestCount {
  /** Milliseconds since the epoch. */
  readonly at_ms: number
  /** Of a code host; else empty. */
  readonly event: string
  /** The id that the sender was given; empty for a metric. */
  readonly signal: string
}

/** How far back the last requests are looked for, in days, where nearer there are too few. */
const LOOKED_BACK = [1, 30, 20_000]

/** The last `limit` requests before `now`, the newest first. */
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

/** Events of code hosts after `since`, by source and by the event's name. Rejects while the analytics are away. */
export const codeHostEvents = async (
  { analytics, workspaceId, sources }: Sources,
  since: Date,
): Promise<{ readonly source_id: SourceId; readonly outcome: string; readonly events: number }[]> => {
  // A month of what came is much to read for nothing.
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
