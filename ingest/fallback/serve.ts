import type { HttpResponse } from 'uWebSockets.js'
import type { Logger } from '../../infra/runtime/logger.ts'
import { problem, send } from '../http/answer.ts'
import { closesWith, type RequestHead } from '../http/head.ts'
import { refusal } from '../refusal.ts'
import { type AdaptedRequest, toRequest } from './request.ts'
import { writeResponse } from './response.ts'
import { type ResponseState, trackResponse } from './response-state.ts'

/** A web-standard handler, such as hono's `fetch`. */
export type FetchHandler = (request: Request) => Response | Promise<Response>

const INVALID = refusal(
  400,
  'invalid_request',
  'The request is not valid HTTP: look at its method, its Host header and its path.',
)
const FAILED = refusal(500, 'internal', 'An unexpected error occurred.')

/** Hands a request of uWebSockets.js to a web-standard handler and its response back. Must be called before the server's handler returns. */
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
