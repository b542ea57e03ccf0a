import { type Static, Type } from 'typebox'
import type { Analytics } from '../../../infra/clickhouse/port.ts'
import { type LastRequest, lastRequests } from '../../../model/sources/source-requests.ts'
import type { SourceId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import { strangersText } from '../../../schemas/domain/strangers.ts'
import { instant, nullable } from '../parts/fields.ts'

export const RecentRequest = Type.Object({
  at: instant,
  accepted: Type.Boolean(),
  reason: nullable(Type.String({ description: 'Of a refusal.' })),
  count: Type.Integer({ description: 'Refusals within seconds for one reason are told as one.' }),
  event: nullable(strangersText({ description: 'Of a code host.' })),
  signal_id: nullable(Type.String({ description: 'For service_support mode signal.' })),
})
type RecentRequest = Static<typeof RecentRequest>

const MAX_REQUESTS = 15

/** The last requests of a source, the newest first; null while the analytics are away. */
export const recentRequests = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  source: SourceId,
): Promise<RecentRequest[] | null> => {
  const rows = await lastRequests({ analytics, workspaceId, sources: [source] }, MAX_REQUESTS)
  return rows?.map(requestOf) ?? null
}

const requestOf = ({ at_ms, event, signal, requests, refused_for: reason }: LastRequest) => ({
  at: new Date(at_ms).toISOString(),
  accepted: reason === '',
  reason: reason === '' ? null : reason,
  count: requests,
  event: event === '' ? null : event,
  signal_id: signal === '' ? null : signal,
})
