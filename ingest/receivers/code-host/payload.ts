import { mediaType } from '../../http/media-type.ts'
import { type Refusal, refusal } from '../../refusal.ts'
import { decodeText } from '../json.ts'
import type { ProvenRequest } from '../receiver.ts'

export const FORM = 'application/x-www-form-urlencoded'

/** The event's JSON text: the body itself, or the field `payload` of a form, whichever the webhook is set to send. */
export const payloadOf = ({ body, headers }: ProvenRequest): { kind: 'parsed'; value: string } | Refusal => {
  const text = decodeText(body)
  if (text.kind === 'refusal' || mediaType(headers['content-type']) !== FORM) return text
  const payload = new URLSearchParams(text.value).get('payload')
  if (payload === null) return refusal(400, 'payload_absent', 'The form has no field "payload" with the event as JSON.')
  return { kind: 'parsed', value: payload }
}
