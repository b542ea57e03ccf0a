import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { clientAddress } from '../../infra/runtime/addresses.ts'
import { type Refusal, refusal } from '../answer.ts'

/** A copy of a request's head: uWebSockets.js forgets the request when its handler returns. */
export interface RequestHead {
  /** In capitals. */
  readonly method: string
  /** As sent, without the query. */
  readonly path: string
  readonly query: string
  /** By lower-case name; repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * The client's address. The first call asks the kernel, unless a proxy's header has the address: call before any wait
   * during which the client may leave.
   */
  readonly address: () => string
  /** The announced length of the body; null for a chunked body, 0 without a body. */
  readonly contentLength: number | null
}

export const readHead = (res: HttpResponse, req: HttpRequest, clientAddressHeader: string | null): RequestHead => {
  const headers: Record<string, string> = Object.create(null)
  req.forEach((name, value) => {
    const earlier = headers[name]
    headers[name] = earlier === undefined ? value : `${earlier}, ${value}`
  })
  let address: string | null = null
  const socketAddress = () => Buffer.from(res.getRemoteAddressAsText()).toString()
  return {
    method: req.getCaseSensitiveMethod(),
    path: req.getUrl(),
    query: req.getQuery() ?? '',
    headers,
    address: () => {
      address ??= clientAddress(socketAddress, clientAddressHeader === null ? undefined : headers[clientAddressHeader])
      return address
    },
    contentLength: headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : null,
  }
}

/** A longer body is not read just to keep its connection. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024

/**
 * True when an answer before the body's end should end the connection. A body of bounded size is read and dropped
 * instead: a client that is still writing when the connection ends may miss its answer.
 */
export const closesWith = (head: Pick<RequestHead, 'contentLength'>, bodyEnded: boolean): boolean =>
  !bodyEnded && (head.contentLength === null || head.contentLength > MAX_DISCARDED_BYTES)

/** The media type without parameters, in lower case; empty without a header. */
export const mediaType = (contentType: string | undefined): string =>
  (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)/i

/** Refuses a body of another media type, with a charset other than UTF-8, or with a content encoding. */
export const checkMediaType = (
  allowed: readonly string[],
  contentType: string | undefined,
  contentEncoding: string | undefined,
): Refusal | null => {
  if (contentEncoding !== undefined && contentEncoding.trim().toLowerCase() !== 'identity') {
    const detail = 'Compressed bodies are not accepted: send the body as it is, without Content-Encoding.'
    return refusal(415, 'content_encoding', detail, { headers: { 'accept-encoding': 'identity' } })
  }
  if (contentType !== undefined && allowed.includes(contentType)) return null
  const type = mediaType(contentType)
  if (!allowed.includes(type)) {
    const wrong = type === '' ? 'The Content-Type header is missing' : 'This Content-Type is not accepted'
    return refusal(415, 'content_type', `${wrong}; it must be ${allowed.join(' or ')}.`)
  }
  const charset = CHARSET.exec(contentType ?? '')?.[1]?.toLowerCase()
  if (charset === undefined || charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii') return null
  return refusal(415, 'charset', 'The body must be UTF-8; another charset is not accepted.')
}
