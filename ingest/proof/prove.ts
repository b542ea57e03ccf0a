import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Proof } from '../../model/sources/kinds/kind.ts'
import { webhookKey } from '../../model/sources/webhook-key.ts'
import { type Refusal, refusal, unavailable } from '../answer.ts'
import type { UnprovenRequest } from '../receivers/receiver.ts'
import { validAt } from '../registry/source.ts'
import { DIGEST_BYTES, writeHmac } from './hmac.ts'

const HMAC_SIGNATURE = /^sha256=([0-9a-f]{64})$/i
/** Buffers for the sent digest and the right one, reused for each check. */
const given = Buffer.alloc(DIGEST_BYTES)
const expected = Buffer.alloc(DIGEST_BYTES)

/**
 * Checks a header `sha256=<hex>`: the HMAC-SHA256 of the raw body, keyed with one of the secrets as they are shown.
 * Compares in constant time. The refusal names the failed check, and reveals nothing of the secret or the right digest.
 */
const checkSignature = (
  header: string,
  { headers: { [header.toLowerCase()]: sent }, body, source, receivedAt }: UnprovenRequest,
  /** The signed bytes where they are not the raw body. Called only when there is a signature to check. */
  signed: () => Buffer = () => body,
): Refusal | null => {
  const secrets = validAt(source.secrets, receivedAt)
  if (secrets.length === 0) {
    return unavailable('secret_unreadable', "This endpoint's secret cannot be read; its operator has to look.", 60)
  }
  const challenge = `HMAC-SHA256 header="${header}"`
  if (!sent) return refused('signature_absent', `The ${header} header is missing. ${HOW_HMAC}`, challenge)
  const digest = HMAC_SIGNATURE.exec(sent.trim())?.[1]
  if (digest === undefined) {
    const detail = `The ${header} header is malformed: it must be "sha256=" and 64 hexadecimal digits. ${HOW_HMAC}`
    return refused('signature_malformed', detail, challenge)
  }
  given.write(digest, 'hex')
  const bytes = signed()
  const right = secrets.some(secret => {
    writeHmac(secret, bytes, expected)
    return timingSafeEqual(given, expected)
  })
  if (right) return null
  const detail = `The signature in ${header} is not the one of this body under the endpoint's secret. ${HOW_HMAC}`
  return refused('signature_differs', detail, challenge)
}

const HOW_HMAC =
  'Sign the raw bytes of the body with HMAC-SHA256, keyed with the secret of this endpoint exactly as it was shown.'

/**
 * Null when the request proves the source's secret, else the refusal. `signed` returns the bytes that an HMAC signs
 * where they are not the raw body.
 */
export const prove = (
  proof: Proof,
  request: UnprovenRequest,
  signed: (request: UnprovenRequest) => Buffer = ({ body }) => body,
): Refusal | null => {
  switch (proof.scheme) {
    case 'hmac':
      return checkSignature(proof.header, request, () => signed(request))
    case 'bearer':
      return proveBearer(request)
    case 'standard_webhooks':
      return proveStandardWebhook(request)
  }
}

const BEARER = /^bearer +([\x21-\x7e]+)$/i

/**
 * Checks `Authorization: Bearer <secret>` (RFC 6750) against the SHA-256 of every valid secret. Compares in constant
 * time. The refusal names the failed check, and reveals nothing of a secret.
 */
export const checkBearer = (
  authorization: string | undefined,
  hashes: readonly Uint8Array[],
  howToProve: string,
): Refusal | null => {
  if (!authorization) {
    return refused('secret_absent', `The Authorization header is missing. ${howToProve}`, 'Bearer')
  }
  const secret = BEARER.exec(authorization.trim())?.[1]
  if (secret === undefined) {
    const detail = `The Authorization header is malformed: it must be "Bearer", a space and the secret. ${howToProve}`
    return refused('secret_malformed', detail, 'Bearer error="invalid_request"')
  }
  const given = createHash('sha256').update(secret).digest()
  // Compares with every hash, so that the time does not tell which fits.
  const right = hashes.filter(hash => hash.byteLength === given.byteLength && timingSafeEqual(hash, given))
  if (right.length > 0) return null
  return refused('secret_differs', `The bearer secret is another one. ${howToProve}`, 'Bearer error="invalid_token"')
}

/** Checks a bearer secret of which the edge knows only the hash. */
const proveBearer = ({
  headers: { authorization },
  source,
  receivedAt,
}: Pick<UnprovenRequest, 'headers' | 'source' | 'receivedAt'>): Refusal | null => {
  const hashes = validAt(source.secretHashes, receivedAt)
  if (hashes.length === 0) {
    return unavailable('secret_unreadable', "This endpoint's secret cannot be read; its operator has to look.", 60)
  }
  return checkBearer(authorization, hashes, HOW_BEARER)
}

const HOW_BEARER = 'Send "Authorization: Bearer <secret>" with the secret of this endpoint exactly as it was shown.'

const refused = (reason: string, detail: string, challenge: string): Refusal =>
  refusal(401, reason, detail, { headers: { 'www-authenticate': challenge } })

/**
 * The headers of Standard Webhooks (https://www.standardwebhooks.com), in the order of their checks. Svix, the origin
 * of the scheme, has its own names: https://docs.svix.com/receiving/verifying-payloads/how-manual
 */
const HEADERS = {
  webhook: { id: 'webhook-id', timestamp: 'webhook-timestamp', signature: 'webhook-signature' },
  svix: { id: 'svix-id', timestamp: 'svix-timestamp', signature: 'svix-signature' },
} as const

/** The header names of a request: Svix's own when only those hold a signature. */
export const webhookHeaders = ({ headers }: Pick<UnprovenRequest, 'headers'>): (typeof HEADERS)['webhook' | 'svix'] =>
  !headers[HEADERS.webhook.signature] && headers[HEADERS.svix.signature] ? HEADERS.svix : HEADERS.webhook

const WINDOW_MS = 5 * 60_000
const EPOCH_SECONDS = /^\d{1,11}$/
/**
 * `v1`, a comma and the base64 of 32 bytes. Other versions, such as `v1a`, use keys that a connection does not have.
 */
const V1 = /^v1,[A-Za-z0-9+/]{43}=$/

/**
 * Checks Standard Webhooks: the HMAC-SHA256 of id, timestamp and body under one of the valid `whsec_` secrets. The
 * header may hold several signatures separated by spaces, one of which must be right. The timestamp may differ from the
 * edge's clock by 5 minutes.
 */
const proveStandardWebhook = (request: UnprovenRequest): Refusal | null => {
  const { headers, body, source, receivedAt } = request
  const names = webhookHeaders(request)
  const notSigned = (reason: string, detail: string): Refusal =>
    refused(reason, detail, `StandardWebhooks header="${names.signature}"`)
  const keys = keysOf(validAt(source.secrets, receivedAt))
  if (keys === null) {
    return unavailable('secret_unreadable', "This connection's secret cannot be read; its operator has to look.", 60)
  }
  const { [names.id]: id, [names.timestamp]: timestamp, [names.signature]: signature } = headers
  const absent = (header: string) => notSigned('signature_absent', `The ${header} header is missing. ${HOW_WEBHOOK}`)
  if (!id) return absent(names.id)
  if (!timestamp) return absent(names.timestamp)
  if (!signature) return absent(names.signature)
  if (!EPOCH_SECONDS.test(timestamp)) {
    return notSigned(
      'timestamp_malformed',
      `The ${names.timestamp} header is malformed: it must be epoch seconds in digits.`,
    )
  }
  const given = signature.split(' ').flatMap(one => (V1.test(one) ? [Buffer.from(one.slice(3), 'base64')] : []))
  if (given.length === 0) {
    const detail = `The ${names.signature} header is malformed: it must hold "v1," and 44 characters of base64, several separated by spaces.`
    return notSigned('signature_malformed', detail)
  }
  if (Math.abs(receivedAt - sentAt(request)) > WINDOW_MS) {
    const detail = `The ${names.timestamp} header is more than 5 minutes away from the time here, which is ${new Date(receivedAt).toISOString()}. Sign each attempt anew, by a clock that is right.`
    return notSigned('timestamp_outside', detail)
  }
  const right = keys.some(key => {
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
    return given.some(one => timingSafeEqual(one, expected))
  })
  if (right) return null
  const detail = `No signature in ${names.signature} is the one of this id, timestamp and body under the connection's secret.`
  return notSigned('signature_differs', `${detail} ${HOW_WEBHOOK}`)
}

/** When the sender signed a proven request, milliseconds since the epoch. */
export const sentAt = (request: Pick<UnprovenRequest, 'headers'>): number =>
  Number(request.headers[webhookHeaders(request).timestamp]) * 1000

/** The keys of the secrets; null when there is none, or one is malformed. */
const keysOf = (secrets: readonly string[]): readonly Buffer[] | null => {
  const keys = secrets.flatMap(secret => webhookKey(secret) ?? [])
  return keys.length === 0 || keys.length < secrets.length ? null : keys
}

const HOW_WEBHOOK =
  'Sign "<webhook-id>.<webhook-timestamp>.<body>" with HMAC-SHA256; the key is what follows "whsec_" in the secret, decoded from base64.'
