import { receivedSignal } from '../../../schemas/events/signal.ts'
import { IDEMPOTENCY_KEY_HEADER } from '../../../schemas/http/headers.ts'
import { knownFields, signalBody } from '../../../schemas/http/signal.ts'
import { parseInstant } from '../../../schemas/http/time.ts'
import { checkSignature } from '../../proof/signature.ts'
import { checkKey, signalId } from '../identity.ts'
import { decodeText, invalidBody, parseJson } from '../json.ts'
import type { ProvenRequest, Receiver } from '../receiver.ts'

/** The generic signal webhook. */
export const signalReceiver: Receiver = {
  name: 'signal',
  path: '/api/webhooks/custom/',
  contentTypes: ['application/json'],
  maxBodyBytes: 768 * 1024,
  limit: { requests: 100, seconds: 60 },
  serves: source => source.kind === 'signal',
  prove: request => checkSignature('X-Service-Signature', request),
  receive: request => {
    const key = request.headers[IDEMPOTENCY_KEY_HEADER]
    const keyRefusal = checkKey('X-Idempotency-Key', key)
    if (keyRefusal) return keyRefusal
    const text = decodeText(request.body)
    if (text.kind === 'refusal') return text
    const parsed = parseJson(text.value, signalBody)
    if (parsed.kind === 'refusal') return parsed
    const { occurred_at: occurredAt } = parsed.value
    if (occurredAt !== undefined) {
      const instant = parseInstant(occurredAt, request.receivedAt)
      if (!instant.ok) return invalidBody([{ pointer: '/occurred_at', message: instant.message }])
    }
    return take(request, key, JSON.stringify(knownFields(parsed.value)))
  },
}

const take = ({ source, receivedAt }: ProvenRequest, key: string | undefined, body: string) => {
  const signal_id = signalId(source.id, key)
  const identity = {
    signal_id,
    tenant_id: source.tenantId,
    workspace_id: source.workspaceId,
    source_id: source.id,
    channel: 'webhook' as const,
    received_at: receivedAt,
  }
  return {
    kind: 'taken' as const,
    drafts: [{ what: 'signal' as const, record: receivedSignal(identity, { format: 'signal', body }) }],
    answer: { ok: true as const, snippet_id: signal_id },
  }
}
