import type { HttpResponse } from 'uWebSockets.js'
import { AssayError, brokenOff } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { newTrace } from '../../infra/runtime/traces.ts'
import { CLIENT_ADDRESS_HEADER, REQUEST_ID_HEADER } from '../../schemas/http/headers.ts'
import { problem, refusal, send } from '../answer.ts'
import { closesWith, type RequestHead } from '../http/head.ts'
import { type ResponseState, trackResponse, writeResponse } from './response.ts'
import { createUnreadBytes } from './unread-bytes.ts'

/** Unread bytes of a body above which its client is held back. */
const HIGH_WATER_BYTES = 256 * 1024
/**
 * Unread bytes at which a body fails although its client is held back. uWebSockets.js reads on as long as the system
 * fills its buffer of 512 KiB at once, paused or not: a fast client brings tens of megabytes before other code of this
 * thread runs.
 */
const MAX_UNREAD_BYTES = 128 * 1024 * 1024

interface AdaptedRequest {
  readonly request: Request
  /** True once the client has sent the whole body. */
  bodyEnded(): boolean
  /** Frees the unread body: after the response nobody reads more. */
  dropBody(): void
}

/**
 * Converts a request of uWebSockets.js into a web-standard one. Throws a TypeError for an invalid request, such as one
 * with a broken `Host`.
 */
const toRequest = (res: HttpResponse, head: RequestHead, responseState: ResponseState): AdaptedRequest => {
  const { method } = head
  const headers = new Headers(head.headers)
  headers.set(CLIENT_ADDRESS_HEADER, head.address())
  const url = new URL(`http://${head.headers.host ?? 'localhost'}${head.path}${head.query && `?${head.query}`}`)
  if (method === 'GET' || method === 'HEAD' || head.contentLength === 0) {
    const request = new Request(url, { method, headers, signal: responseState.signal })
    return { request, bodyEnded: () => head.contentLength === 0, dropBody: () => {} }
  }
  const { stream, ended, drop } = streamBody(res, responseState)
  const request = new Request(url, { method, headers, body: stream, duplex: 'half', signal: responseState.signal })
  return { request, bodyEnded: ended, dropBody: drop }
}

/**
 * The body as a stream that holds the client back while nobody reads. The stream fails with `invalid_input` when the
 * client leaves early, and with `busy` when the body comes faster than it can be kept.
 */
const streamBody = (res: HttpResponse, responseState: ResponseState) => {
  const unread = createUnreadBytes()
  let ended = false
  let dropping = false
  let arrived = Promise.withResolvers<void>()

  const drop = () => {
    dropping = true
    unread.drop()
    arrived.resolve()
  }

  const receive = (controller: ReadableStreamDefaultController<Uint8Array>, chunk: ArrayBuffer, isLast: boolean) => {
    ended = isLast
    if (dropping) return
    try {
      if (!responseState.open() || unread.size() + chunk.byteLength > MAX_UNREAD_BYTES) throw tooFast()
      unread.add(new Uint8Array(chunk))
    } catch (error) {
      drop()
      controller.error(error)
      return
    }
    if (!isLast && unread.size() >= HIGH_WATER_BYTES) responseState.flow.pause()
    arrived.resolve()
  }

  /** Waits for the next bytes. Null at the end of the body, and when the body is dropped. */
  const next = async (): Promise<Uint8Array | null> => {
    while (!dropping) {
      const bytes = unread.take()
      if (bytes !== null) return bytes
      if (ended) break
      arrived = Promise.withResolvers()
      responseState.flow.resume()
      await arrived.promise
    }
    return null
  }

  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        responseState.signal.addEventListener('abort', () => {
          if (dropping) return
          drop()
          if (!ended) controller.error(brokenOff())
        })
        res.onData((chunk, isLast) => receive(controller, chunk, isLast))
      },
      async pull(controller) {
        const bytes = await next()
        if (bytes !== null) return controller.enqueue(bytes)
        if (dropping) return
        drop()
        controller.close()
      },
      cancel() {
        drop()
        responseState.flow.resume()
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, ended: () => ended, drop }
}

const tooFast = () =>
  new AssayError('busy', 'The body came faster than this server can take it. Send it again, in parts or more slowly.')

/** A web-standard handler, such as hono's `fetch`. */
export type FetchHandler = (request: Request) => Response | Promise<Response>

const INVALID = refusal(
  400,
  'invalid_request',
  'The request is not valid HTTP: look at its method, its Host header and its path.',
)
const FAILED = refusal(500, 'internal', 'An unexpected error occurred.')

/** Passes a request to a web-standard handler, and sends its response. Call before the server's handler returns. */
export const serveFallback = async (
  res: HttpResponse,
  head: RequestHead,
  handler: FetchHandler,
  logger: Pick<Logger, 'error'>,
): Promise<void> => {
  const responseState = trackResponse(res)
  let adapted: AdaptedRequest
  try {
    adapted = toRequest(res, head, responseState)
  } catch {
    responseState.end()
    return send(res, problem(INVALID), { close: true })
  }
  let requestId: string | null = null
  try {
    const respond = Promise.resolve(handler(adapted.request))
    const response = await Promise.race([respond, left(responseState)])
    if (response === null) return void discard(respond)
    requestId = response.headers.get(REQUEST_ID_HEADER)
    await writeResponse(res, response, responseState, {
      head: head.method === 'HEAD',
      close: () => closesWith(head, adapted.bodyEnded()),
    })
  } catch (error) {
    if (responseState.signal.aborted) return
    requestId ??= newTrace().traceId
    logger.error({ err: error, trace_id: requestId }, 'a request behind the edge failed in a way that nobody foresaw')
    if (!responseState.open()) return
    responseState.end()
    send(res, problem(FAILED, { [REQUEST_ID_HEADER]: requestId }), { close: true })
  } finally {
    adapted.dropBody()
  }
}

const left = ({ signal }: ResponseState): Promise<null> =>
  new Promise(resolve => signal.addEventListener('abort', () => resolve(null), { once: true }))

/** Cancels a response whose client has left. */
const discard = (respond: Promise<Response>): Promise<void> =>
  respond.then(
    response => response.body?.cancel(),
    () => {},
  )
