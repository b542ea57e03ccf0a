import { IDEMPOTENCY_KEY_HEADER } from '../../../schemas/http/headers.ts'
import { signalBody, writeKnownFields } from '../../../schemas/http/signal.ts'
import { checkKey, saidIn, signalDraft } from '../drafts.ts'
import { endpointReceiver } from '../endpoint-receiver.ts'
import { decodeText, parseJson } from '../json.ts'

const TIMES = ['occurred_at'] as const

export const signalReceiver = endpointReceiver('signal', {
  receive: request => {
    const key = request.headers[IDEMPOTENCY_KEY_HEADER]
    const keyRefusal = checkKey('X-Idempotency-Key', key)
    if (keyRefusal) return keyRefusal
    const text = decodeText(request.body)
    if (text.kind === 'refusal') return text
    const parsed = parseJson(text.value, signalBody, { times: TIMES, now: request.receivedAt })
    if (parsed.kind === 'refusal') return parsed
    const body = writeKnownFields(parsed.value, text.value)
    const draft = signalDraft(request, 'webhook', key, saidIn(parsed.value), { format: 'signal', body })
    return { kind: 'taken', drafts: [draft], answer: { ok: true, snippet_id: draft.record.signal_id } }
  },
})
