import type { IncomingBody } from '../http/body.ts'
import { type Refusal, refusal, unavailable } from '../refusal.ts'

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
