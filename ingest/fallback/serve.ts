import type { HttpResponse } from 'uWebSockets.js'
import type { Logger } from '../../infra/runtime/logger.ts'
import { CLIENT_ADDRESS_HEADER } from '../../schemas/http/headers.ts'
import { problem, refusal, send } from '../answer.ts'
import { closesWith, type RequestHead } from '../http/head.ts'
import { type ResponseState, trackResponse, writeResponse } from './response.ts'

/** What is kept of a body that nobody has read yet before its client is held back. */
const HIGH_WATER_BYTES = 256 * 1024
/**
 * What is kept once the response has begun, when clients cannot be held back any more; a body that outgrows it fails.
 */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024

interface AdaptedRequest {
  readonly request: Request
  /** True once the client has sent all of the body. */
  bodyEnded(): boolean
}

/**
 * A web-standard request out of uWebSockets.js' own. Throws a TypeError for what is not a valid one, such as a broken
 * `Host`.
 */
const toRequest = (res: HttpResponse, head: RequestHead, responseState: ResponseState): AdaptedRequest => {
  const { method } = head
  const headers = new Headers(head.headers)
  headers.set(CLIENT_ADDRESS_HEADER, head.address())
  const url = new URL(`http://${head.headers.host ?? 'localhost'}${head.path}${head.query && `?${head.query}`}`)
  if (method === 'GET' || method === 'HEAD' || head.contentLength === 0) {
    const request = new Request(url, { method, headers, signal: responseState.signal })
    return { request, bodyEnded: () => head.contentLength === 0 }
  }
  const { stream, ended } = streamBody(res, responseState)
  const request = new Request(url, { method, headers, body: stream, duplex: 'half', signal: responseState.signal })
  return { request, bodyEnded: ended }
}

/** The body as a stream that holds the client back while nobody reads. */
const streamBody = (res: HttpResponse, responseState: ResponseState) => {
  let ended = false
  let dropping = false

  const receive = (controller: ReadableStreamDefaultController<Uint8Array>, chunk: ArrayBuffer, isLast: boolean) => {
    ended = isLast
    if (dropping) return
    // The memory behind a chunk is reused as soon as this callback returns.
    if (chunk.byteLength > 0) controller.enqueue(new Uint8Array(chunk.slice(0)))
    const room = controller.desiredSize ?? 0
    if (isLast) controller.close()
    else if (room < HIGH_WATER_BYTES - MAX_UNREAD_BYTES || !responseState.open()) {
      dropping = true
      controller.error(new Error('The body came faster than it was read.'))
    } else if (room <= 0) responseState.flow.pause()
  }

  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        responseState.signal.addEventListener('abort', () => {
          if (!ended && !dropping) controller.error(responseState.signal.reason)
        })
        res.onData((chunk, isLast) => receive(controller, chunk, isLast))
      },
      pull: responseState.flow.resume,
      cancel() {
        dropping = true
        responseState.flow.resume()
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: HIGH_WATER_BYTES }),
  )
  return { stream, ended: () => ended }
}

/** A web-standard handler, such as hono's `fetch`. */
export type FetchHandler = (request: Request) => Response | Promise<Response>

const INVALID = refusal(
  400,
  'invalid_request',
  'The request is not valid HTTP: look at its method, its Host header and its path.',
)
const FAILED = refusal(500, 'internal', 'An unexpected error occurred.')

/**
 * Hands a request of uWebSockets.js to a web-standard handler and its response back. Must be called before the server's
 * handler returns.
 */
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
  try {
    const respond = Promise.resolve(handler(adapted.request))
    const response = await Promise.race([respond, left(responseState)])
    if (response === null) return void discard(respond)
    await writeResponse(res, response, responseState, {
      head: head.method === 'HEAD',
      close: () => closesWith(head, adapted.bodyEnded()),
    })
  } catch (error) {
    if (responseState.signal.aborted) return
    logger.error({ err: error, path: head.path }, 'a request behind the edge failed in a way that nobody foresaw')
    if (!responseState.open()) return
    responseState.end()
    send(res, problem(FAILED), { close: true })
  }
}

const left = ({ signal }: ResponseState): Promise<null> =>
  new Promise(resolve => signal.addEventListener('abort', () => resolve(null), { once: true }))

/** An answer that nobody waits for any more. */
const discard = (respond: Promise<Response>): Promise<void> =>
  respond.then(
    response => response.body?.cancel(),
    () => {},
  )
