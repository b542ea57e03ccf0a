import { connectionBody, connectionSettings, mappedBody } from '../../../schemas/http/connection.ts'
import { knownFields, type SignalBody } from '../../../schemas/http/signal.ts'
import { type Instant, parseInstant } from '../../../schemas/http/time.ts'
import { proveStandardWebhook, WEBHOOK_ID } from '../../proof/standard-webhook.ts'
import { type Refusal, unavailable } from '../../refusal.ts'
import { checkKey } from '../identity.ts'
import { decodeText, invalidBody, parseJson } from '../json.ts'
import type { ProvenRequest, Receiver } from '../receiver.ts'
import { signalDraft } from '../signal-draft.ts'
import { mapSignal } from './mapped.ts'

/** The receiver of sources that an agent connected. Their senders speak Standard Webhooks; the endpoint says whose they are. */
export const connectionReceiver: Receiver = {
  name: 'connection',
  path: '/api/webhooks/connections/',
  contentTypes: ['application/json'],
  maxBodyBytes: 1024 * 1024,
  limit: { requests: 500, seconds: 60 },
  serves: source => source.kind === 'connection',
  prove: proveStandardWebhook,
  receive: request => {
    const id = request.headers[WEBHOOK_ID]
    const keyRefusal = checkKey(WEBHOOK_ID, id)
    if (keyRefusal) return keyRefusal
    const text = decodeText(request.body)
    if (text.kind === 'refusal') return text
    const event = readEvent(request, text.value)
    if (event.kind === 'refusal') return event
    const { value, instants } = event
    for (const { pointer, instant } of instants) {
      if (!instant.ok) return invalidBody([{ pointer, message: instant.message }])
    }
    const body = JSON.stringify(knownFields(value))
    const draft = signalDraft(request, 'connection', id, { format: 'signal', body })
    return { kind: 'taken', drafts: [draft], answer: { ok: true, snippet_id: draft.record.signal_id } }
  },
}

interface Event {
  readonly kind: 'parsed'
  readonly value: SignalBody
  /** The times that the sender gave, and where. */
  readonly instants: readonly { readonly pointer: string; readonly instant: Instant }[]
}

/** The signal of an event: its own time is the event's unless the signal says one, its `event` is the type. */
const readEvent = ({ source, receivedAt }: ProvenRequest, text: string): Event | Refusal => {
  const { settings } = source
  if (!connectionSettings.Check(settings)) {
    const detail = "This connection's settings cannot be read; its operator has to look."
    return unavailable('settings_unreadable', detail, 60)
  }
  const { mapping } = settings
  const parsed = parseJson(text, mapping ? mappedBody : connectionBody)
  if (parsed.kind === 'refusal') return parsed
  const { type, timestamp } = parsed.value
  const found = mapping
    ? mapSignal(parsed.value, mapping)
    : // Without a mapping the schema that was checked has a signal body there.
      { kind: 'parsed' as const, value: parsed.value.data as SignalBody }
  if (found.kind === 'refusal') return found
  const { occurred_at: occurredAt } = found.value
  return {
    kind: 'parsed',
    value: { source: source.name, occurred_at: timestamp, ...found.value, event: type },
    instants: [
      { pointer: '/timestamp', instant: parseInstant(timestamp, receivedAt) },
      ...(occurredAt === undefined
        ? []
        : [{ pointer: mapping?.occurred_at ?? '/data/occurred_at', instant: parseInstant(occurredAt, receivedAt) }]),
    ],
  }
}
