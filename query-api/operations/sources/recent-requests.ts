import { type Static, Type } from 'typebox'
import type { Analytics } from '../../../infra/clickhouse/port.ts'
import type { SourceId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import { instant, nullable } from '../parts/fields.ts'
import { REQUESTS, sourceRequests } from './source-requests.ts'

export const RecentRequest = Type.Object({
  at: instant,
  accepted: Type.Boolean(),
  reason: nullable(Type.String({ description: 'Of a refusal.' })),
  times: Type.Integer({ description: 'Refusals within seconds for one reason are told as one.' }),
  event: nullable(Type.String({ description: 'Of a code host.' })),
  signal_id: nullable(Type.String({ description: 'For service_support mode signal.' })),
})
type RecentRequest = Static<typeof RecentRequest>

const MAX_REQUESTS = 15

interface Row {
  readonly at_ms: number
  readonly event: string
  readonly signal: string
  readonly requests: number
}

/** The last requests of a source, the newest first; null while the analytics are away. */
export const recentRequests = async (
  analytics: Analytics,
  workspace: WorkspaceId,
  source: SourceId,
): Promise<RecentRequest[] | null> => {
  const rows = await sourceRequests<Row>(analytics, workspace, [source], {
    select: `event_id, toUnixTimestamp64Milli(max(occurred_at)) AS at_ms, sum(${REQUESTS}) AS requests,
      any(if(kind = 'code_host.event', activity.outcome, '')) AS event, any(if(kind = 'metric.received', '', subject_id)) AS signal`,
    groupBy: ['event_id'],
    having: 'requests > 0',
    orderBy: 'at_ms DESC, event_id',
    limit: MAX_REQUESTS,
  })
  return rows?.map(requestOf) ?? null
}

const requestOf = ({
  at_ms,
  event,
  signal,
  requests,
  refused_for: reason,
}: Row & { readonly refused_for: string }) => ({
  at: new Date(at_ms).toISOString(),
  accepted: reason === '',
  reason: reason === '' ? null : reason,
  times: requests,
  event: event === '' ? null : event,
  signal_id: signal === '' ? null : signal,
})
