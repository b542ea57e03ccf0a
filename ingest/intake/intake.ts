import type { Logger } from '../../infra/runtime/logger.ts'
import { parseTraceparent, type TraceContext } from '../../infra/runtime/traces.ts'
import { beginSpan } from '../../infra/telemetry/spans.ts'
import { REQUEST_ID_HEADER } from '../../schemas/http/headers.ts'
import { type Answer, problem, type Refusal, refusal, unavailable } from '../answer.ts'
import type { BodyOutcome, IncomingBody } from '../http/body.ts'
import { checkMediaType, type RequestHead } from '../http/head.ts'
import type { Receiver } from '../receivers/receiver.ts'
import type { Source } from '../registry/source.ts'

/** The client left: no answer is needed. */
interface Aborted {
  readonly kind: 'aborted'
}

export type Outcome = { readonly kind: 'answer'; readonly answer: Answer } | Refusal | Aborted

/**
 * Handles a request whose head is valid. Calls `onSourceFound` for each source of the request. Its records carry
 * `trace`.
 */
export type RequestHandler = (
  head: RequestHead,
  body: IncomingBody,
  onSourceFound: (source: Source) => void,
  trace: TraceContext,
) => Promise<Outcome>

/** The reason of a refusal, `aborted` when the client left before its answer, or null when the request was accepted. */
const refusedFor = (outcome: Outcome): string | null => {
  if (outcome.kind === 'answer') return null
  return outcome.kind === 'aborted' ? 'aborted' : outcome.reason
}

/** Adds headers to an outcome, without replacing its own. */
export const addHeaders = (outcome: Outcome, headers: Readonly<Record<string, string>>): Outcome => {
  if (outcome.kind === 'aborted') return outcome
  if (outcome.kind === 'refusal') return { ...outcome, headers: { ...headers, ...outcome.headers } }
  return { kind: 'answer', answer: { ...outcome.answer, headers: { ...headers, ...outcome.answer.headers } } }
}

type Read = { readonly kind: 'complete'; readonly bytes: Buffer } | { readonly kind: 'aborted' } | Refusal

/** The whole body, or why there is none. */
export const readBody = (read: BodyOutcome, maxBytes: number): Read => {
  if (read.kind === 'too_large') return payloadTooLarge(maxBytes)
  if (read.kind === 'slow') return TOO_SLOW
  return read.kind === 'overloaded' ? serverOverloaded(1) : read
}

const TOO_SLOW = refusal(408, 'body_too_slow', 'The body came too slowly. Repeat the request on a faster line.', {
  closes: true,
})

/** Holds the client back while `work` decides whether its body is wanted. */
export const whilePaused = async <T>(body: IncomingBody, work: Promise<T>): Promise<T> => {
  body.pause()
  try {
    return await work
  } finally {
    body.resume()
  }
}

const payloadTooLarge = (maxBytes: number): Refusal =>
  refusal(413, 'body_too_large', `The body must have at most ${maxBytes} bytes.`)

export const serverOverloaded = (retryAfterSeconds: number): Refusal =>
  unavailable('overloaded', 'Too many requests are under way. Repeat this one, with growing pauses.', retryAfterSeconds)

/** The result of a request, for metrics and activity. */
export interface ObservedRequest {
  readonly receiver: string
  /** Null for an unknown endpoint. */
  readonly source: Source | null
  /**
   * The reason of a refusal, `aborted` when the client left before its answer, or null when the request was accepted.
   */
  readonly refused: string | null
}

interface IntakePorts {
  /** Called after each answer, once for each source of the request. */
  readonly observe: (observed: ObservedRequest) => void
  readonly logger: Pick<Logger, 'error'>
}

/** A receiver, and the handler for one of its addresses. */
export interface Route {
  readonly receiver: Receiver
  readonly handle: RequestHandler
}

/**
 * Takes one request: checks its head, which is the same for all receivers, then calls the handler. Null when the client
 * has left.
 */
export type RouteHandler = (found: Route, head: RequestHead, body: IncomingBody) => Promise<Answer | null>

export const createIntake =
  ({ observe, logger }: IntakePorts): RouteHandler =>
  async ({ receiver, handle }, head, body) => {
    const sources: Source[] = []
    const found = (source: Source) => sources.push(source)
    const parent = parseTraceparent(head.headers.traceparent)
    const span = beginSpan({ name: `POST ${receiver.name}`, kind: 'server', parent })
    const { trace } = span
    let outcome: Outcome
    try {
      outcome = checkHead(receiver, head) ?? (await handle(head, body, found, trace))
    } catch (error) {
      outcome = internalFailure(logger, receiver.name, trace)(error)
    }
    body.release()
    const refused = refusedFor(outcome)
    for (const source of sources.length > 0 ? sources : [null]) observe({ receiver: receiver.name, source, refused })
    const answer = answerOf(outcome, trace)
    span.end({ attributes: { 'http.response.status_code': answer?.status ?? 0 }, failed: refused ?? undefined })
    return answer
  }

/** Adds the request id, which is the trace id: log lines and the signal's trace have the same id. */
const answerOf = (outcome: Outcome, { traceId }: TraceContext): Answer | null => {
  if (outcome.kind === 'aborted') return null
  const answer = outcome.kind === 'answer' ? outcome.answer : problem(outcome)
  return { ...answer, headers: { ...answer.headers, [REQUEST_ID_HEADER]: traceId } }
}

const checkHead = (receiver: Receiver, head: RequestHead): Refusal | null => {
  if (head.method !== 'POST') {
    return refusal(405, 'method', 'This address takes POST requests only.', { headers: { allow: 'POST' } })
  }
  if (head.contentLength !== null && head.contentLength > receiver.maxBodyBytes)
    return payloadTooLarge(receiver.maxBodyBytes)
  return checkMediaType(receiver.contentTypes, head.headers['content-type'], head.headers['content-encoding'])
}

/** The refusal for an unexpected error: the error is logged, and the answer says nothing of it. */
export const internalFailure =
  (logger: Pick<Logger, 'error'>, receiver: string, { traceId, spanId }: TraceContext) =>
  (error: unknown): Refusal => {
    logger.error(
      { err: error, receiver, trace_id: traceId, span_id: spanId },
      'a request failed in a way that nobody foresaw',
    )
    return refusal(500, 'internal', 'An unexpected error occurred; the request was not taken.')
  }
