import type { HttpResponse } from 'uWebSockets.js'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Probes } from '../infra/runtime/listen.ts'
import type { Logger } from '../infra/runtime/logger.ts'
import { timerMs } from '../infra/runtime/timers.ts'
import { WEBHOOKS } from '../model/sources/kinds/kind.ts'
import { type Answer, problem, type Refusal, refusal, send, unavailable } from './answer.ts'
import type { ByteBudget } from './append/byte-budget.ts'
import type { IngestSettings } from './config.ts'
import { type FetchHandler, serveFallback } from './fallback/serve.ts'
import { type BodyPorts, type IncomingBody, receiveBody } from './http/body.ts'
import { createBodyDeadlines } from './http/body-flow.ts'
import type { ClaimedPort } from './http/claimed-port.ts'
import { closesWith, type RequestHead } from './http/head.ts'
import type { RouteHandler } from './intake/intake.ts'
import type { FindRoute } from './receivers/index.ts'

/**
 * Refuses a request whose end is ambiguous. uWebSockets.js uses the first of several lengths, and takes any transfer
 * encoding for `chunked`; a proxy in front may decide otherwise. One of them would then take the body for the next
 * request (request smuggling).
 */
const checkFraming = ({ headers }: Pick<RequestHead, 'headers'>): Refusal | null => {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers
  const isClear =
    (length === undefined || /^\d+$/.test(length)) && (encoding === undefined || /^chunked$/i.test(encoding))
  if (isClear) return null
  const detail = 'Send one Content-Length header with one number, or "Transfer-Encoding: chunked", and nothing else.'
  return refusal(400, 'unclear_length', detail, { closes: true })
}

export interface ServerPorts {
  readonly settings: Pick<IngestSettings, 'stopTimeoutMs' | 'bodyTimeoutMs'>
  readonly claimed: ClaimedPort
  readonly findReceiver: FindRoute
  readonly intake: RouteHandler
  readonly probes: Probes
  /** Handles every path that is not the edge's own; without it these are answered 404. */
  readonly fallback: FetchHandler | null
  readonly budget: ByteBudget
  readonly logger: Pick<Logger, 'error'>
}

export interface Server {
  readonly port: number
  /** Stops listening, lets requests under way finish, and closes every connection. */
  stop(): Promise<void>
}

const NOT_FOUND = problem(refusal(404, 'not_found', 'There is nothing at this address.'))
const STOPPING = problem(unavailable('stopping', 'This server is about to stop. Repeat the request.', 1))

/** Answers on the claimed port from now on. */
export const startServer = (ports: ServerPorts): Server => {
  const { claimed } = ports
  let underWay = 0
  const idle = Promise.withResolvers<void>()
  const bodies = { budget: ports.budget, deadlines: createBodyDeadlines({ totalMs: ports.settings.bodyTimeoutMs }) }
  let stopping = false

  /** Chooses who answers a request; null for the fallback, which writes its own response. */
  const route = (res: HttpResponse, head: RequestHead): Routed | null => {
    const withoutBody = (answer: Routed['answer']): Routed => ({ body: skipBody(res, bodies), answer })
    if (stopping) return withoutBody(async () => STOPPING)
    const unclear = checkFraming(head)
    if (unclear) return withoutBody(async () => problem(unclear))
    const probe = isProbe(head) ? ports.probes.get(head.path) : undefined
    if (probe) return withoutBody(probe)
    const found = ports.findReceiver(head.path)
    if (found) {
      const body = receiveBody(res, found.receiver.maxBodyBytes, bodies)
      return { body, answer: () => ports.intake(found, head, body) }
    }
    // Webhook paths without a receiver belong to the edge too, and never reach the fallback.
    if (ports.fallback && !head.path.startsWith(WEBHOOKS)) return null
    return withoutBody(async () => NOT_FOUND)
  }

  claimed.serve(async (res, head) => {
    underWay += 1
    try {
      const routed = route(res, head)
      if (routed) respond(res, head, routed.body, await routed.answer(), stopping)
      else if (ports.fallback) await serveFallback(res, head, ports.fallback, ports.logger)
    } catch (error) {
      ports.logger.error({ err: error }, 'an answer could not be written')
    }
    underWay -= 1
    if (stopping && underWay === 0) idle.resolve()
  })

  return {
    port: claimed.port,
    stop: async () => {
      stopping = true
      claimed.unlisten()
      if (underWay === 0) idle.resolve()
      await Promise.race([idle.promise, sleep(timerMs(ports.settings.stopTimeoutMs), undefined, { ref: false })])
      claimed.close()
      bodies.deadlines.stop()
    },
  }
}

interface Routed {
  readonly body: IncomingBody
  /** Null when the client has left. */
  readonly answer: () => Promise<Answer | null>
}

const isProbe = ({ method }: RequestHead): boolean => method === 'GET' || method === 'HEAD'

/** For a request that is answered without its body. */
const skipBody = (res: HttpResponse, bodies: BodyPorts): IncomingBody => {
  const body = receiveBody(res, 0, bodies)
  body.release()
  return body
}

const respond = (
  res: HttpResponse,
  head: RequestHead,
  body: IncomingBody,
  answer: Answer | null,
  stopping: boolean,
): void => {
  if (answer === null || body.aborted()) return
  const close = stopping || answer.closes === true || closesWith(head, body.ended())
  send(res, answer, { head: head.method === 'HEAD', close })
}
