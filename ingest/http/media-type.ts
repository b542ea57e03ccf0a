import { type Refusal, refusal } from '../refusal.ts'

/** The media type without its parameters, in lower case; empty when the header is absent. */
export const mediaType = (contentType: string | undefined): string =>
  (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)/i

/** Refuses a body that is not one of the media types, in UTF-8, sent as it is (no content encoding). */
export const checkMediaType = (
  allowed: readonly string[],
  contentType: string | undefined,
  contentEncoding: string | undefined,
): Refusal | null => {
  if (contentEncoding !== undefined && contentEncoding.trim().toLowerCase() !== 'identity') {
    const detail = 'Compressed bodies are not accepted: send the body as it is, without Content-Encoding.'
    return refusal(415, 'content_encoding', detail, { headers: { 'accept-encoding': 'identity' } })
  }
  const type = mediaType(contentType)
  const list = allowed.join(' or ')
  if (type === '') return refusal(415, 'content_type', `The Content-Type header is missing; it must be ${list}.`)
  if (!allowed.includes(type))
    return refusal(415, 'content_type', `This Content-Type is not accepted; it must be ${list}.`)
  const charset = CHARSET.exec(contentType ?? '')?.[1]?.toLowerCase()
  if (charset === undefined || charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii') return null
  return refusal(415, 'charset', 'The body must be UTF-8; another charset is not accepted.')
}
