import { createHash, timingSafeEqual } from 'node:crypto'
import type { UnprovenRequest } from '../receivers/receiver.ts'
import { type Refusal, refusal, unavailable } from '../refusal.ts'
import { validAt } from '../registry/source.ts'

const BEARER = /^bearer +([\x21-\x7e]+)$/i

/**
 * Checks `Authorization: Bearer <secret>` (RFC 6750) against the SHA-256 of every secret that is valid. Compares digests in constant
 * time; the refusal says which check failed and nothing of a secret.
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
export const proveBearer = ({
  headers: { authorization },
  source,
  receivedAt,
}: Pick<UnprovenRequest, 'headers' | 'source' | 'receivedAt'>): Refusal | null => {
  const hashes = validAt(source.secretHashes, receivedAt)
  if (hashes.length === 0) {
    return unavailable('secret_unreadable', "This endpoint's secret cannot be read; its operator has to look.", 60)
  }
  return checkBearer(authorization, hashes, HOW)
}

const HOW = 'Send "Authorization: Bearer <secret>" with the secret of this endpoint exactly as it was shown.'

const refused = (reason: string, detail: string, challenge: string): Refusal =>
  refusal(401, reason, detail, { headers: { 'www-authenticate': challenge } })
