import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { clientAddress } from '../../infra/runtime/client-address.ts'

/** What is known of a request before its body. uWebSockets.js forgets a request as soon as its handler returns, so this is a copy. */
export interface RequestHead {
  /** In capitals. */
  readonly method: string
  /** As it was sent, without the query. */
  readonly path: string
  readonly query: string
  /** By their names in lower case; a header that came several times is joined by commas. */
  readonly headers: Readonly<Record<string, string>>
  readonly address: string
  /** The announced size of the body; null when it comes in chunks. 0 without a body. */
  readonly contentLength: number | null
}

export const readHead = (res: HttpResponse, req: HttpRequest, clientAddressHeader: string | null): RequestHead => {
  const headers: Record<string, string> = Object.create(null)
  req.forEach((name, value) => {
    const earlier = headers[name]
    headers[name] = earlier === undefined ? value : `${earlier}, ${value}`
  })
  const socketAddress = Buffer.from(res.getRemoteAddressAsText()).toString()
  return {
    method: req.getCaseSensitiveMethod(),
    path: req.getUrl(),
    query: req.getQuery() ?? '',
    headers,
    address: clientAddress(socketAddress, clientAddressHeader === null ? undefined : headers[clientAddressHeader]),
    contentLength: headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : null,
  }
}

/** More than this is not read for the sake of keeping a connection. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024

/**
 * Whether to end the connection with an answer that comes before the body is read. A body of bounded size is rather read and dropped:
 * a client that still writes when the connection ends may never see its answer.
 */
export const closesWith = (head: Pick<RequestHead, 'contentLength'>, bodyEnded: boolean): boolean =>
  !bodyEnded && (head.contentLength === null || head.contentLength > MAX_DISCARDED_BYTES)
