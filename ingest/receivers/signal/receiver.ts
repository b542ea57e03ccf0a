import { IDEMPOTENCY_KEY_HEADER } from '../../../schemas/http/headers.ts'
import { signalBody, writeKnownFields } from '../../../schemas/http/signal.ts'
import { parseInstant } from '../../../schemas/http/time.ts'
import { checkKey, saidIn, signalDraft } from '../drafts.ts'
import { endpointReceiver } from '../endpoint-receiver.ts'
import { decodeText, invalidBody, parseJson } from '../json.ts'

/** The generic signal webhook. */
export const signalReceiver = endpointReceiver('signal', {
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
    const body = writeKnownFields(parsed.value, text.value)
    const draft = signalDraft(request, 'webhook', key, saidIn(parsed.value), { format: 'signal', body })
    return { kind: 'taken', drafts: [draft], answer: { ok: true, snippet_id: draft.record.signal_id } }
  },
})
