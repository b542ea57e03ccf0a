import { derivedId, type EventId, newId, type SignalId } from '../../../schemas/domain/ids.ts'
import type { CodeHost } from '../../../schemas/domain/vocabulary.ts'
import { activity } from '../../../schemas/events/activity.ts'
import { type Refusal, refusal } from '../../answer.ts'
import { mediaType } from '../../http/head.ts'
import { checkKey, signalDraft } from '../drafts.ts'
import { endpointReceiver } from '../endpoint-receiver.ts'
import { decodeText } from '../json.ts'
import type { Draft, EndpointReceiver, ProvenRequest, UnprovenRequest } from '../receiver.ts'
import type { CodeHostEvent, EventName, Projection } from './event.ts'
import { projectDeployment, projectPullRequest, projectPush, projectRelease } from './projections.ts'

/** A code host's names for headers, and what it signs. */
interface Dialect {
  /** Headers with the event and the delivery. Earlier names in the list take precedence. */
  readonly eventHeaders: readonly [string, ...string[]]
  readonly deliveryHeaders: readonly [string, ...string[]]
  /** The signed part of a form: the raw body, or the decoded payload, as Gitea and Forgejo do. */
  readonly signedForm: 'body' | 'payload'
}

/** Forgejo also sends Gitea's headers, and both send GitHub's. */
const DIALECTS: Readonly<Record<CodeHost, Dialect>> = {
  github: { eventHeaders: ['X-GitHub-Event'], deliveryHeaders: ['X-GitHub-Delivery'], signedForm: 'body' },
  gitea: {
    eventHeaders: ['X-Gitea-Event', 'X-GitHub-Event'],
    deliveryHeaders: ['X-Gitea-Delivery', 'X-GitHub-Delivery'],
    signedForm: 'payload',
  },
  forgejo: {
    eventHeaders: ['X-Forgejo-Event', 'X-Gitea-Event', 'X-GitHub-Event'],
    deliveryHeaders: ['X-Forgejo-Delivery', 'X-Gitea-Delivery', 'X-GitHub-Delivery'],
    signedForm: 'payload',
  },
}

/** The first of the headers that a request has, with its name. */
const firstHeader = (
  headers: Readonly<Record<string, string>>,
  names: readonly [string, ...string[]],
): { readonly name: string; readonly value: string | undefined } => {
  const name = names.find(candidate => headers[candidate.toLowerCase()]) ?? names[0]
  return { name, value: headers[name.toLowerCase()] }
}

const FORM_MEDIA_TYPE = 'application/x-www-form-urlencoded'

type Sent = Pick<UnprovenRequest, 'body' | 'headers'>

/** The event's JSON: the body itself, or a form's field `payload`, as the webhook is configured. */
const payloadOf = ({ body, headers }: Sent): { kind: 'parsed'; value: string } | Refusal => {
  const text = decodeText(body)
  if (text.kind === 'refusal' || !isForm({ headers })) return text
  const payload = fieldOf(text.value, 'payload')
  if (payload === null) return refusal(400, 'payload_absent', 'The form has no field "payload" with the event as JSON.')
  return { kind: 'parsed', value: payload }
}

/** One decoded field of a form. The other fields are not decoded: there may be many. */
const fieldOf = (form: string, name: string): string | null => {
  const start = form.startsWith(`${name}=`) ? 0 : form.indexOf(`&${name}=`) + 1
  if (start === 0 && !form.startsWith(`${name}=`)) return null
  const end = form.indexOf('&', start)
  return formDecoded(form.slice(start + name.length + 1, end === -1 ? form.length : end))
}

/**
 * Decodes pluses and `%` with two hexadecimal digits, in one pass over the bytes. V8's decoder takes five times as
 * long.
 */
const formDecoded = (written: string): string => {
  const bytes = Buffer.from(written)
  let length = 0
  for (let at = 0; at < bytes.length; at += 1) {
    let byte = bytes[at] ?? 0
    if (byte === PLUS) byte = SPACE
    else if (byte === PERCENT) {
      const decoded = (digitAt(bytes, at + 1) << 4) | digitAt(bytes, at + 2)
      if (decoded >= 0) {
        byte = decoded
        at += 2
      }
    }
    bytes[length] = byte
    length += 1
  }
  return bytes.toString('utf8', 0, length)
}

/** The value of a hexadecimal digit; negative for any other byte. */
const digitAt = (bytes: Buffer, at: number): number => {
  const byte = bytes[at] ?? 0
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

const PLUS = 0x2b
const SPACE = 0x20
const PERCENT = 0x25

/** The bytes that Gitea and Forgejo sign: a form's payload, or the body without a form. */
const signedPayload = (request: Sent): Buffer => {
  const payload = isForm(request) ? payloadOf(request) : null
  return payload?.kind === 'parsed' ? Buffer.from(payload.value) : request.body
}

const isForm = ({ headers }: Pick<Sent, 'headers'>): boolean => mediaType(headers['content-type']) === FORM_MEDIA_TYPE

const PROJECTIONS: Readonly<Record<EventName, Projection>> = {
  push: projectPush,
  pull_request: projectPullRequest,
  release: projectRelease,
  deployment: projectDeployment,
}

const isProjected = (event: string): event is EventName => Object.hasOwn(PROJECTIONS, event)

/** A receiver for a code host's webhook. The dialect has the header names. */
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
    occurred_at: request.receivedAt,
    happened_at: Math.min(occurredAt ?? request.receivedAt, request.receivedAt),
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
