import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { clientAddress } from '../../infra/runtime/addresses.ts'
import { type Refusal, refusal } from '../answer.ts'

/**
 * What is known of a request before its body. uWebSockets.js forgets a request as soon as its handler returns, so this
 * is a copy.
 */
export interface RequestHead {
  /** In capitals. */
  readonly method: string
  /** As it was sent, without the query. */
  readonly path: string
  readonly query: string
  /** By their names in lower case; a header that came several times is joined by commas. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Of the client. The kernel is asked, unless a proxy tells, the first time: it must be before anything is waited for
   * that the client may leave meanwhile.
   */
  readonly address: () => string
  /** The announced size of the body; null when it comes in chunks. 0 without a body. */
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

/** More than this is not read for the sake of keeping a connection. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024

/**
 * Whether to end the connection with an answer that comes before the body is read. A body of bounded size is rather
 * read and dropped: a client that still writes when the connection ends may never see its answer.
 */
export const closesWith = (head: Pick<RequestHead, 'contentLength'>, bodyEnded: boolean): boolean =>
  !bodyEnded && (head.contentLength === null || head.contentLength > MAX_DISCARDED_BYTES)

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
