import type { HttpResponse } from 'uWebSockets.js'
import type { ByteBudget } from '../append/byte-budget.ts'
import { createFlow } from './flow.ts'

type BodyOutcome =
  | { readonly kind: 'complete'; readonly bytes: Buffer }
  /** More came than allowed. */
  | { readonly kind: 'too_large' }
  /** The budget for everything in memory is used up. */
  | { readonly kind: 'overloaded' }
  /** The client is gone: nothing can be answered any more. */
  | { readonly kind: 'aborted' }

export interface IncomingBody {
  readonly outcome: Promise<BodyOutcome>
  /** Stops taking data from the socket until `resume`. */
  pause(): void
  resume(): void
  /** True once the client has sent all of the body. */
  ended(): boolean
  /** True once the client is gone; the response must not be touched then. */
  aborted(): boolean
  /** Frees what is held and drops what still comes. Call it once the request is settled, whichever way. */
  release(): void
}

/**
 * Collects a request's body, at most `maxBytes`. Must be called before the handler returns: data that comes earlier is lost.
 * It takes memory for what has arrived only, never for what a client announces. A body that turns out too large is read on
 * and dropped for as much again, so that the client gets to read its answer, and no further.
 */
export const receiveBody = (res: HttpResponse, maxBytes: number, budget: ByteBudget): IncomingBody => {
  const { promise: outcome, resolve } = Promise.withResolvers<BodyOutcome>()
  let chunks: Buffer[] = []
  let received = 0
  let held = 0
  let collecting = true
  let ended = false
  let aborted = false
  const flow = createFlow(res)

  const release = () => {
    collecting = false
    chunks = []
    budget.give(held)
    held = 0
  }

  res.onAborted(() => {
    aborted = true
    flow.abandon()
    release()
    resolve({ kind: 'aborted' })
  })

  res.onData((chunk, isLast) => {
    ended = isLast
    received += chunk.byteLength
    if (!collecting) {
      if (isLast || received > 2 * maxBytes) resolve({ kind: 'too_large' })
      return
    }
    if (received > maxBytes) {
      release()
      if (isLast) resolve({ kind: 'too_large' })
      return
    }
    if (!budget.take(chunk.byteLength)) {
      release()
      resolve({ kind: 'overloaded' })
      return
    }
    held += chunk.byteLength
    // The memory behind a chunk is reused as soon as this callback returns.
    chunks.push(Buffer.from(Buffer.from(chunk)))
    if (!isLast) return
    const [first] = chunks
    resolve({ kind: 'complete', bytes: first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks) })
    chunks = []
  })

  return {
    outcome,
    pause: flow.pause,
    resume: flow.resume,
    ended: () => ended,
    aborted: () => aborted,
    release,
  }
}
