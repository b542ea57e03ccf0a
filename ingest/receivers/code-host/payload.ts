import { mediaType } from '../../http/media-type.ts'
import { type Refusal, refusal } from '../../refusal.ts'
import { decodeText } from '../json.ts'
import type { UnprovenRequest } from '../receiver.ts'

export const FORM = 'application/x-www-form-urlencoded'

type Sent = Pick<UnprovenRequest, 'body' | 'headers'>

/** The event's JSON text: the body itself, or the field `payload` of a form, whichever the webhook is set to send. */
export const payloadOf = ({ body, headers }: Sent): { kind: 'parsed'; value: string } | Refusal => {
  const text = decodeText(body)
  if (text.kind === 'refusal' || !isForm({ headers })) return text
  const payload = new URLSearchParams(text.value).get('payload')
  if (payload === null) return refusal(400, 'payload_absent', 'The form has no field "payload" with the event as JSON.')
  return { kind: 'parsed', value: payload }
}

/** The bytes of a form's payload, for hosts that sign these; the body where it is no form that has one. */
export const signedPayload = (request: Sent): Buffer => {
  const payload = isForm(request) ? payloadOf(request) : null
  return payload?.kind === 'parsed' ? Buffer.from(payload.value) : request.body
}

const isForm = ({ headers }: Pick<Sent, 'headers'>): boolean => mediaType(headers['content-type']) === FORM
