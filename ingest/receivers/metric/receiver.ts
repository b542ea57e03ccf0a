import { derivedId, type EventId, type MetricPointId, newId, type SourceId } from '../../../schemas/domain/ids.ts'
import { activity } from '../../../schemas/events/activity.ts'
import type { MetricPointRecord } from '../../../schemas/events/metric-point.ts'
import { IDEMPOTENCY_KEY_HEADER } from '../../../schemas/http/headers.ts'
import { type MetricBody, metricBody, POINT_TIMES } from '../../../schemas/http/metric.ts'
import { parseInstant } from '../../../schemas/http/time.ts'
import { checkKey } from '../drafts.ts'
import { endpointReceiver } from '../endpoint-receiver.ts'
import { readJson } from '../json.ts'
import type { Draft, ProvenRequest } from '../receiver.ts'

/** The metric webhook: a number and its time. Makes no signal. */
export const metricReceiver = endpointReceiver('metric', {
  receive: request => {
    const key = request.headers[IDEMPOTENCY_KEY_HEADER]
    const keyRefusal = checkKey('X-Idempotency-Key', key)
    if (keyRefusal) return keyRefusal
    const parsed = readJson(request.body, metricBody, { times: POINT_TIMES, now: request.receivedAt })
    if (parsed.kind === 'refusal') return parsed
    const at = dateOf(parsed.value, request.receivedAt)
    const point = pointOf(request, key, parsed.value.value, at)
    return {
      kind: 'taken',
      drafts: [{ what: 'metric_point', record: point }, activityDraft(request)],
      answer: {
        ok: true,
        metric_id: point.metric_id,
        occurred_at: new Date(at ?? request.receivedAt).toISOString(),
      },
    }
  },
})

/** The time in the body's first date field, which was validated; null without one. */
const dateOf = (body: MetricBody, receivedAt: number): number | null => {
  const sent = POINT_TIMES.map(name => body[name]).find(given => given !== undefined)
  const instant = sent === undefined ? null : parseInstant(sent, receivedAt)
  return instant?.ok ? instant.at : null
}

const pointOf = (
  { source, receivedAt }: ProvenRequest,
  key: string | undefined,
  value: number,
  at: number | null,
): MetricPointRecord => ({
  point_id: pointId(source.id, key, { value, at, receivedAt }),
  workspace_id: source.workspaceId,
  metric_id: source.id,
  value,
  occurred_at: at,
  received_at: receivedAt,
})

/**
 * A point's id, made of metric and time, so that the last value for a time wins. With an idempotency key, the sender's
 * date or, without a date, the value distinguishes a retry from a reused key.
 */
const pointId = (
  metric: SourceId,
  key: string | undefined,
  { value, at, receivedAt }: { readonly value: number; readonly at: number | null; readonly receivedAt: number },
): MetricPointId => {
  if (!key) return derivedId('metric_point.instant', metric, String(at ?? receivedAt))
  return at === null
    ? derivedId('metric_point.key', metric, key, 'value', String(value))
    : derivedId('metric_point.key', metric, key, 'date', String(at))
}

/** An event for each accepted request, which shows that the metric's source is alive. */
const activityDraft = ({ source, receivedAt, traceId }: ProvenRequest): Draft => ({
  what: 'activity',
  record: activity({
    event_id: newId<EventId>(),
    workspace_id: source.workspaceId,
    kind: 'metric.received',
    occurred_at: receivedAt,
    subject_id: source.id,
    source_id: source.id,
    source: source.name,
    channel: 'metric',
    outcome: 'accepted',
    trace_id: traceId,
  }),
})
