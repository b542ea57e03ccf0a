import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Proof } from '../../model/sources/kinds/kind.ts'
import { type Refusal, refusal, unavailable } from '../answer.ts'
import type { UnprovenRequest } from '../receivers/receiver.ts'
import { validAt } from '../registry/source.ts'
import { proveStandardWebhook } from './standard-webhook.ts'

const SIGNATURE = /^sha256=([0-9a-f]{64})$/i

/**
 * Checks a header of the form `sha256=<hex>`: the HMAC-SHA256 of the raw body, keyed with one of the secrets as they
 * are shown. Compares in constant time; the refusal says which check failed and nothing of the secret or the right
 * digest.
 */
const checkSignature = (
  header: string,
  { headers: { [header.toLowerCase()]: sent }, body, source, receivedAt }: UnprovenRequest,
  /** What is signed, where it is not the body as it came. Asked for only once there is a signature to check. */
  signed: () => Buffer = () => body,
): Refusal | null => {
  const secrets = validAt(source.secrets, receivedAt)
  if (secrets.length === 0) {
    return unavailable('secret_unreadable', "This endpoint's secret cannot be read; its operator has to look.", 60)
  }
  const headers = { 'www-authenticate': `HMAC-SHA256 header="${header}"` }
  if (!sent) return refusal(401, 'signature_absent', `The ${header} header is missing. ${HOW}`, { headers })
  const digest = SIGNATURE.exec(sent.trim())?.[1]
  if (digest === undefined) {
    const detail = `The ${header} header is malformed: it must be "sha256=" and 64 hexadecimal digits. ${HOW}`
    return refusal(401, 'signature_malformed', detail, { headers })
  }
  const given = Buffer.from(digest, 'hex')
  const bytes = signed()
  const right = secrets.some(secret => timingSafeEqual(given, createHmac('sha256', secret).update(bytes).digest()))
  if (right) return null
  const detail = `The signature in ${header} is not the one of this body under the endpoint's secret. ${HOW}`
  return refusal(401, 'signature_differs', detail, { headers })
}

const HOW =
  'Sign the raw bytes of the body with HMAC-SHA256, keyed with the secret of this endpoint exactly as it was shown.'

/**
 * Null when the request comes from whoever has the source's secret. `signed` says what an HMAC is of, if not the body
 * as it came.
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
 * Checks `Authorization: Bearer <secret>` (RFC 6750) against the SHA-256 of every secret that is valid. Compares
 * digests in constant time; the refusal says which check failed and nothing of a secret.
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
  // Every hash is compared, whichever fits.
  const right = hashes.filter(hash => hash.byteLength === given.byteLength && timingSafeEqual(hash, given))
  if (right.length > 0) return null
  return refused('secret_differs', `The bearer secret is another one. ${howToProve}`, 'Bearer error="invalid_token"')
}

/** Proves that a request carries its source's secret, of which the edge knows the hash alone. */
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
