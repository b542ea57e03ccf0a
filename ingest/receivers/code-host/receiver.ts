import { derivedId, type EventId, newId, type SignalId } from '../../../schemas/domain/ids.ts'
import type { CodeHost } from '../../../schemas/domain/vocabulary.ts'
import { activity } from '../../../schemas/events/activity.ts'
import { refusal } from '../../answer.ts'
import { checkKey, signalDraft } from '../drafts.ts'
import { endpointReceiver } from '../endpoint-receiver.ts'
import type { Draft, EndpointReceiver, ProvenRequest } from '../receiver.ts'
import { DIALECTS, type Dialect, firstHeader, payloadOf, signedPayload } from './delivery.ts'
import type { CodeHostEvent, EventName, Projection } from './event.ts'
import { projectDeployment, projectPullRequest, projectPush, projectRelease } from './projections.ts'

const PROJECTIONS: Readonly<Record<EventName, Projection>> = {
  push: projectPush,
  pull_request: projectPullRequest,
  release: projectRelease,
  deployment: projectDeployment,
}

const isProjected = (event: string): event is EventName => Object.hasOwn(PROJECTIONS, event)

/** A code host's webhook: the host's own payloads, in the dialect that its events and deliveries are named with. */
export const codeHostReceiver = (codeHost: CodeHost, dialect: Dialect = DIALECTS[codeHost]): EndpointReceiver =>
  endpointReceiver('code_host', {
    codeHost,
    signed: request => (dialect.signedForm === 'payload' ? signedPayload(request) : request.body),
    receive: request => {
      const { name: eventHeader, value: event } = firstHeader(request.headers, dialect.eventHeaders)
      if (!event) return refusal(400, 'event_absent', `The ${eventHeader} header is missing; it names the event.`)
      if (!isProjected(event)) return { kind: 'taken', drafts: [], answer: { ok: true, event, ignored: true } }
      const { name: deliveryHeader, value: delivery } = firstHeader(request.headers, dialect.deliveryHeaders)
      const keyRefusal = checkKey(deliveryHeader, delivery)
      if (keyRefusal) return keyRefusal
      const payload = payloadOf(request)
      if (payload.kind === 'refusal') return payload
      const projected = PROJECTIONS[event](payload.value, codeHost, request.receivedAt)
      if (projected.kind === 'refusal') return projected
      const body = JSON.stringify(projected.signal)
      const signal = projected.signal && signalDraft(request, 'code_host', delivery, [body], { format: event, body })
      const eventId = delivery
        ? derivedId<EventId>('code_host.event', request.source.id, delivery, body)
        : newId<EventId>()
      const drafts = [...(signal ? [signal] : []), activityDraft(request, event, eventId, projected, codeHost, signal)]
      return {
        kind: 'taken',
        drafts,
        answer: { ok: true, event, ...(signal && { snippet_id: signal.record.signal_id }) },
      }
    },
  })

const activityDraft = (
  request: ProvenRequest,
  event: EventName,
  event_id: EventId,
  { action, actor, occurredAt }: CodeHostEvent,
  codeHost: CodeHost,
  signal: { readonly record: { readonly signal_id: SignalId } } | null,
): Draft => ({
  what: 'activity',
  record: activity({
    event_id,
    workspace_id: request.source.workspaceId,
    kind: 'code_host.event',
    occurred_at: occurredAt ?? request.receivedAt,
    subject_id: signal?.record.signal_id ?? '',
    source_id: request.source.id,
    source: codeHost,
    channel: 'code_host',
    signal_origin: event === 'deployment' ? 'operational' : 'internal',
    actor_role: actor.bot ? 'system' : 'engineer',
    actor: actor.login,
    outcome: event,
    reason: action,
    trace_id: request.traceId,
  }),
})
