import { connectionSignal } from '../../../model/sources/connection-signal.ts'
import { anyObject, connectionSettings } from '../../../schemas/http/connection.ts'
import type { SignalBody } from '../../../schemas/http/signal.ts'
import { unavailable } from '../../answer.ts'
import { sentAt, webhookHeaders } from '../../proof/prove.ts'
import { checkKey, saidIn, signalDraft } from '../drafts.ts'
import { endpointReceiver } from '../endpoint-receiver.ts'
import { decodeText, invalidBody, type Parsed, parseJson } from '../json.ts'
import type { ProvenRequest } from '../receiver.ts'

/**
 * The receiver of sources that an agent connected. Senders sign by Standard Webhooks; the endpoint identifies the
 * source.
 */
export const connectionReceiver = endpointReceiver('connection', {
  receive: request => {
    const { id: name } = webhookHeaders(request)
    const id = request.headers[name]
    const keyRefusal = checkKey(name, id)
    if (keyRefusal) return keyRefusal
    const text = decodeText(request.body)
    if (text.kind === 'refusal') return text
    const event = readEvent(request, text.value)
    if (event.kind === 'refusal') return event
    const body = JSON.stringify(event.value)
    const draft = signalDraft(request, 'connection', id, saidIn(event.value), { format: 'signal', body })
    return { kind: 'taken', drafts: [draft], answer: { ok: true, snippet_id: draft.record.signal_id } }
  },
})

const readEvent = (request: ProvenRequest, text: string): Parsed<SignalBody> => {
  const { source, receivedAt } = request
  const { settings, name } = source
  if (!connectionSettings.Check(settings)) {
    const detail = "This connection's settings cannot be read; its operator has to look."
    return unavailable('settings_unreadable', detail, 60)
  }
  const { mapping } = settings
  const parsed = parseJson(text, anyObject)
  if (parsed.kind === 'refusal') return parsed
  const found = connectionSignal(parsed.value, { name, mapping, sentAt: sentAt(request), receivedAt })
  return found.ok ? { kind: 'parsed', value: found.value } : invalidBody(found.violations)
}
