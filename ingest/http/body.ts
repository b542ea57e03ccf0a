import type { HttpResponse } from 'uWebSockets.js'
import type { Share } from '../../infra/runtime/shares.ts'
import type { ByteBudget } from '../append/byte-budget.ts'
import { type BodyDeadlines, createFlow } from './body-flow.ts'
import { append, EMPTY } from './pieces.ts'

export type BodyOutcome =
  | { readonly kind: 'complete'; readonly bytes: Buffer }
  /** More came than allowed. */
  | { readonly kind: 'too_large' }
  /** The budget for everything in memory is used up. */
  | { readonly kind: 'overloaded' }
  /** It came too slowly, or stopped coming. */
  | { readonly kind: 'slow' }
  /** The client is gone: nothing can be answered any more. */
  | { readonly kind: 'aborted' }

/** What bodies of all requests share. */
export interface BodyPorts {
  readonly budget: ByteBudget
  readonly deadlines: BodyDeadlines
}

export interface IncomingBody {
  readonly outcome: Promise<BodyOutcome>
  /** Stops taking data from the socket until `resume`. */
  pause(): void
  resume(): void
  /**
   * Counts what came and what still comes in this share from now on, and in no other. A body that does not fit into it
   * is `overloaded`; false when it does not by now.
   */
  countIn(share: Share): boolean
  /** True once the client has sent all of the body. */
  ended(): boolean
  /** True once the client is gone; the response must not be touched then. */
  aborted(): boolean
  /** Frees what is held and drops what still comes. Call it once the request is settled, whichever way. */
  release(): void
}

/**
 * Collects a request's body, at most `maxBytes`. Must be called before the handler returns: data that comes earlier is
 * lost. It takes memory for what has arrived only (up to twice as much), never for what a client announces. A body that
 * turns out too large is read on and dropped for as much again, so that the client gets to read its answer, and no
 * further.
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
