import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Refusal, refusal, unavailable } from '../answer.ts'
import type { UnprovenRequest } from '../receivers/receiver.ts'
import { validAt } from '../registry/source.ts'

/** The headers of Standard Webhooks, https://www.standardwebhooks.com, in the order they are checked. */
export const WEBHOOK_ID = 'webhook-id'
const TIMESTAMP = 'webhook-timestamp'
const SIGNATURE = 'webhook-signature'

const WINDOW_MS = 5 * 60_000
const EPOCH_SECONDS = /^\d{1,11}$/
/** `v1`, a comma and the base64 of 32 bytes. Others, such as `v1a`, are for keys that a connection does not have. */
const V1 = /^v1,[A-Za-z0-9+/]{43}=$/

/**
 * Proves a request by Standard Webhooks: the HMAC-SHA256 of id, timestamp and body, under one of the valid `whsec_`
 * secrets. The header may hold several signatures, separated by spaces; one that is right suffices. The window is
 * measured by the edge's clock.
 */
export const proveStandardWebhook = ({ headers, body, source, receivedAt }: UnprovenRequest): Refusal | null => {
  const keys = keysOf(validAt(source.secrets, receivedAt))
  if (keys === null) {
    return unavailable('secret_unreadable', "This connection's secret cannot be read; its operator has to look.", 60)
  }
  const { [WEBHOOK_ID]: id, [TIMESTAMP]: timestamp, [SIGNATURE]: signature } = headers
  if (!id) return absent(WEBHOOK_ID)
  if (!timestamp) return absent(TIMESTAMP)
  if (!signature) return absent(SIGNATURE)
  if (!EPOCH_SECONDS.test(timestamp)) {
    return refused('timestamp_malformed', `The ${TIMESTAMP} header is malformed: it must be epoch seconds in digits.`)
  }
  const given = signature.split(' ').flatMap(one => (V1.test(one) ? [Buffer.from(one.slice(3), 'base64')] : []))
  if (given.length === 0) {
    const detail = `The ${SIGNATURE} header is malformed: it must hold "v1," and 44 characters of base64, several separated by spaces.`
    return refused('signature_malformed', detail)
  }
  if (Math.abs(receivedAt - sentAt(headers)) > WINDOW_MS) {
    const detail = `The ${TIMESTAMP} header is more than 5 minutes away from the time here, which is ${new Date(receivedAt).toISOString()}. Sign each attempt anew, by a clock that is right.`
    return refused('timestamp_outside', detail)
  }
  const right = keys.some(key => {
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
    return given.some(one => timingSafeEqual(one, expected))
  })
  if (right) return null
  const detail = `No signature in ${SIGNATURE} is the one of this id, timestamp and body under the connection's secret.`
  return refused('signature_differs', `${detail} ${HOW}`)
}

/** When the sender signed a request that is proven, milliseconds since the epoch. */
export const sentAt = ({ [TIMESTAMP]: timestamp }: UnprovenRequest['headers']): number => Number(timestamp) * 1000

const SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/

/** The keys that secrets stand for; null where one is no secret, or there is none. */
const keysOf = (secrets: readonly string[]): readonly Buffer[] | null => {
  const encoded = secrets.map(secret => SECRET.exec(secret)?.[1])
  if (encoded.length === 0 || encoded.includes(undefined)) return null
  return encoded.map(one => Buffer.from(one ?? '', 'base64'))
}

const HOW =
  'Sign "<webhook-id>.<webhook-timestamp>.<body>" with HMAC-SHA256; the key is what follows "whsec_" in the secret, decoded from base64.'

const absent = (header: string): Refusal => refused('signature_absent', `The ${header} header is missing. ${HOW}`)

const refused = (reason: string, detail: string): Refusal =>
  refusal(401, reason, detail, { headers: { 'www-authenticate': `StandardWebhooks header="${SIGNATURE}"` } })
