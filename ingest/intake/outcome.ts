import type { TraceContext } from '../../infra/runtime/traces.ts'
import { type Answer, type Refusal, refusal, unavailable } from '../answer.ts'
import type { IncomingBody } from '../http/body.ts'
import type { RequestHead } from '../http/head.ts'
import type { Source } from '../registry/source.ts'

/** The client left: nobody waits for an answer. */
interface Aborted {
  readonly kind: 'aborted'
}

export type Outcome = { readonly kind: 'answer'; readonly answer: Answer } | Refusal | Aborted

/** What becomes of a request whose head is right. Tells each source that it is for as soon as it is known; what it makes is of the trace. */
export type RequestHandler = (
  head: RequestHead,
  body: IncomingBody,
  onSourceFound: (source: Source) => void,
  trace: TraceContext,
) => Promise<Outcome>

/** A refusal's reason, `aborted` for a client that left before its answer, or null when the request was accepted. */
export const refusedFor = (outcome: Outcome): string | null => {
  if (outcome.kind === 'answer') return null
  return outcome.kind === 'aborted' ? 'aborted' : outcome.reason
}

/** The outcome with headers added; those that it has itself stay. */
export const addHeaders = (outcome: Outcome, headers: Readonly<Record<string, string>>): Outcome => {
  if (outcome.kind === 'aborted') return outcome
  if (outcome.kind === 'refusal') return { ...outcome, headers: { ...headers, ...outcome.headers } }
  return { kind: 'answer', answer: { ...outcome.answer, headers: { ...headers, ...outcome.answer.headers } } }
}

type Read = { readonly kind: 'complete'; readonly bytes: Buffer } | { readonly kind: 'aborted' } | Refusal

/** The whole body, or why there is none. */
export const readBody = async (body: IncomingBody, maxBytes: number): Promise<Read> => {
  const read = await body.outcome
  if (read.kind === 'too_large') return payloadTooLarge(maxBytes)
  if (read.kind === 'slow') return TOO_SLOW
  return read.kind === 'overloaded' ? serverOverloaded(1) : read
}

const TOO_SLOW = refusal(408, 'body_too_slow', 'The body came too slowly. Repeat the request on a faster line.', {
  closes: true,
})

/** Holds a client back while it is not known whether anybody wants its body. */
export const whilePaused = async <T>(body: IncomingBody, work: Promise<T>): Promise<T> => {
  body.pause()
  try {
    return await work
  } finally {
    body.resume()
  }
}

export const payloadTooLarge = (maxBytes: number): Refusal =>
  refusal(413, 'body_too_large', `The body must have at most ${maxBytes} bytes.`)

export const serverOverloaded = (retryAfterSeconds: number): Refusal =>
  unavailable('overloaded', 'Too many requests are under way. Repeat this one, with growing pauses.', retryAfterSeconds)
