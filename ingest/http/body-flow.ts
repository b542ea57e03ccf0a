import type { HttpResponse } from 'uWebSockets.js'
import { timerMs } from '../../infra/runtime/timers.ts'

/** Holds a client back while nobody wants what it sends. */
export interface ClientFlow {
  pause(): void
  resume(): void
  /** Resumes for good. Must be called before anything of the response is written. */
  release(): void
  /** Does nothing from now on. Must be called when the client has left. */
  detach(): void
}

let isPrimed = false

/**
 * uWebSockets.js remembers what to watch a paused socket for in one place for all sockets, not for each: what the last
 * one was watched for that had as much left to send, nothing or something. A socket that is resumed in a state in which
 * none was ever paused is never read from again. So a socket is only resumed after it was paused and before its
 * response begins, when nothing is left to send, and the process's first request fills that place in.
 */
export const createFlow = (res: HttpResponse): ClientFlow => {
  let paused = false
  let released = false
  if (!isPrimed) {
    isPrimed = true
    res.pause()
    res.resume()
  }
  const resume = () => {
    if (!paused || released) return
    paused = false
    res.resume()
  }
  return {
    // Again for what comes after a pause: with it uWebSockets.js counts ten seconds until it hangs up.
    pause: () => {
      if (released) return
      paused = true
      res.pause()
    },
    resume,
    release: () => {
      resume()
      released = true
    },
    detach: () => {
      released = true
    },
  }
}

/** Watches that bodies keep coming. */
export interface BodyDeadlines {
  /** Waits for a body that begins now; calls `onSlow` at most once, when it comes too slowly. */
  begin(onSlow: () => void): Wait
  stop(): void
}

interface Wait {
  /** So many bytes came. */
  progress(bytes: number): void
  /** The body is complete, or nobody wants it any more. */
  end(): void
}

interface Waiting {
  readonly onSlow: () => void
  bytes: number
  /** The last tick by which more must have come, and the one by which all must. */
  due: number
  readonly latest: number
}

interface BodyDeadlineOptions {
  /** How long a whole body may take. */
  readonly totalMs: number
  /**
   * How long a body may take over each `portionBytes` of it. Default five seconds, less than uWebSockets.js waits
   * before it hangs up.
   */
  readonly portionMs?: number
  /** Default 80 KiB, so that a body comes at 16 KiB a second or faster. */
  readonly portionBytes?: number
  readonly tickMs?: number
}

/**
 * One timer for all bodies: most are there at once, and a timer for each would cost more than reading them. Times are
 * kept in its ticks, so a body gets up to one tick more than it is promised.
 */
export const createBodyDeadlines = ({
  totalMs,
  portionMs = 5000,
  portionBytes = 80 * 1024,
  tickMs = Math.min(500, totalMs / 4),
}: BodyDeadlineOptions): BodyDeadlines => {
  const waiting = new Set<Waiting>()
  const portionTicks = Math.ceil(portionMs / tickMs)
  const totalTicks = Math.ceil(totalMs / tickMs)
  let now = 0

  const tick = () => {
    now += 1
    for (const wait of waiting) {
      if (now <= wait.due && now <= wait.latest) continue
      waiting.delete(wait)
      wait.onSlow()
    }
  }
  const timer = setInterval(tick, timerMs(tickMs)).unref()

  return {
    begin: onSlow => {
      const wait = { onSlow, bytes: 0, due: now + portionTicks, latest: now + totalTicks }
      waiting.add(wait)
      return {
        progress: bytes => {
          wait.bytes += bytes
          if (wait.bytes < portionBytes) return
          wait.bytes = 0
          wait.due = now + portionTicks
        },
        end: () => void waiting.delete(wait),
      }
    },
    stop: () => clearInterval(timer),
  }
}
