import { unescape as percentDecoded } from 'node:querystring'
import { mediaType } from '../../http/media-type.ts'
import { type Refusal, refusal } from '../../refusal.ts'
import { decodeText } from '../json.ts'
import type { UnprovenRequest } from '../receiver.ts'

const FORM_MEDIA_TYPE = 'application/x-www-form-urlencoded'

type Sent = Pick<UnprovenRequest, 'body' | 'headers'>

/** The event's JSON text: the body itself, or the field `payload` of a form, whichever the webhook is set to send. */
export const payloadOf = ({ body, headers }: Sent): { kind: 'parsed'; value: string } | Refusal => {
  const text = decodeText(body)
  if (text.kind === 'refusal' || !isForm({ headers })) return text
  const payload = fieldOf(text.value, 'payload')
  if (payload === null) return refusal(400, 'payload_absent', 'The form has no field "payload" with the event as JSON.')
  return { kind: 'parsed', value: payload }
}

/** One field of a form, decoded by itself: the others may be many, and are nobody's. */
const fieldOf = (form: string, name: string): string | null => {
  const start = form.startsWith(`${name}=`) ? 0 : form.indexOf(`&${name}=`) + 1
  if (start === 0 && !form.startsWith(`${name}=`)) return null
  const end = form.indexOf('&', start)
  return percentDecoded(withSpaces(form.slice(start + name.length + 1, end === -1 ? form.length : end)))
}

/** A form's plus is a space. In bytes: replacing millions in a string takes seconds. */
const withSpaces = (written: string): string => {
  const bytes = Buffer.from(written)
  for (let at = bytes.indexOf(PLUS); at !== -1 && at < bytes.length; at += 1) {
    if (bytes[at] === PLUS) bytes[at] = SPACE
  }
  return bytes.toString()
}

const PLUS = 0x2b
const SPACE = 0x20

/** The bytes of a form's payload, for hosts that sign these; the body where it is no form that has one. */
export const signedPayload = (request: Sent): Buffer => {
  const payload = isForm(request) ? payloadOf(request) : null
  return payload?.kind === 'parsed' ? Buffer.from(payload.value) : request.body
}

const isForm = ({ headers }: Pick<Sent, 'headers'>): boolean => mediaType(headers['content-type']) === FORM_MEDIA_TYPE
