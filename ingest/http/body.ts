import type { HttpResponse } from 'uWebSockets.js'
import type { Share } from '../../infra/runtime/shares.ts'
import type { ByteBudget } from '../append/byte-budget.ts'
import { type BodyDeadlines, createFlow } from './body-flow.ts'
import { append, EMPTY } from './pieces.ts'

export type BodyOutcome =
  | { readonly kind: 'complete'; readonly bytes: Buffer }
  /** More bytes than allowed. */
  | { readonly kind: 'too_large' }
  /** The memory budget is used up. */
  | { readonly kind: 'overloaded' }
  /** The body came too slowly, or stopped. */
  | { readonly kind: 'slow' }
  /** The client has left: no answer is possible. */
  | { readonly kind: 'aborted' }

/** Ports that the bodies of all requests share. */
export interface BodyPorts {
  readonly budget: ByteBudget
  readonly deadlines: BodyDeadlines
}

export interface IncomingBody {
  readonly outcome: Promise<BodyOutcome>
  /** Takes no data from the socket until `resume`. */
  pause(): void
  resume(): void
  /**
   * Counts this body's bytes in `share` from now on, and no longer in the share before. False, with the outcome
   * `overloaded`, when they do not fit; later bytes that do not fit give `overloaded` too.
   */
  countIn(share: Share): boolean
  /** True once the client has sent the whole body. */
  ended(): boolean
  /** True once the client has left; the response must not be used then. */
  aborted(): boolean
  /** Frees the body and ignores further data. Call once the request is settled. */
  release(): void
}

/**
 * Collects a request's body, at most `maxBytes`. Call before the handler returns, or data is lost. Memory is taken for
 * arrived bytes (up to twice as much), never for the announced length. A body that is too large is read and dropped up
 * to twice `maxBytes`, so that the client reads its answer.
 */
export const receiveBody = (res: HttpResponse, maxBytes: number, { budget, deadlines }: BodyPorts): IncomingBody => {
  const { promise: outcome, resolve } = Promise.withResolvers<BodyOutcome>()
  let kept: Buffer = EMPTY
  let received = 0
  let buffered = 0
  let collecting = true
  let ended = false
  let aborted = false
  let share: Share | null = null
  const flow = createFlow(res)

  const release = () => {
    collecting = false
    wait.end()
    kept = EMPTY
    budget.give(buffered)
    share?.give(buffered)
    buffered = 0
  }

  const take = (bytes: number): boolean => {
    if (!budget.take(bytes)) return false
    if (share === null || share.take(bytes)) return true
    budget.give(bytes)
    return false
  }

  const wait = deadlines.begin(() => {
    release()
    resolve({ kind: 'slow' })
  })

  res.onAborted(() => {
    aborted = true
    flow.detach()
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
    if (!take(chunk.byteLength)) {
      release()
      resolve({ kind: 'overloaded' })
      return
    }
    kept = append(kept, buffered, new Uint8Array(chunk), isLast)
    buffered += chunk.byteLength
    wait.progress(chunk.byteLength)
    if (!isLast) return
    wait.end()
    resolve({ kind: 'complete', bytes: buffered === kept.byteLength ? kept : kept.subarray(0, buffered) })
  })

  return {
    outcome,
    pause: flow.pause,
    resume: flow.resume,
    countIn: next => {
      const fits = next.take(buffered)
      if (fits) {
        share?.give(buffered)
        share = next
      } else {
        release()
        resolve({ kind: 'overloaded' })
      }
      return fits
    },
    ended: () => ended,
    aborted: () => aborted,
    release,
  }
}
