import type { HttpResponse } from 'uWebSockets.js'
import { timerMs } from '../../infra/runtime/timers.ts'

/** Holds a client back while its data is not wanted. */
export interface ClientFlow {
  pause(): void
  resume(): void
  /** Resumes for good. Call before anything of the response is written. */
  release(): void
  /** Does nothing from now on. Call when the client has left. */
  detach(): void
}

let isPrimed = false

/**
 * Works around uWebSockets.js, which keeps one record for all sockets of what to watch a paused socket for, by whether
 * the socket has something left to send. A socket resumed in a state in which no socket was paused before is never read
 * again. Therefore a socket is resumed only after a pause and before its response begins, when nothing is left to send,
 * and the first request of the process fills in that record.
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
    // Called again for data after a pause, to restart uWebSockets.js' ten seconds until it hangs up.
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

/** Ends bodies that come too slowly. */
export interface BodyDeadlines {
  /** Starts to watch a body. Calls `onSlow` at most once, when the body comes too slowly. */
  begin(onSlow: () => void): Wait
  stop(): void
}

interface Wait {
  /** Notes arrived bytes. */
  progress(bytes: number): void
  /** The body is complete, or not wanted any more. */
  end(): void
}

interface Waiting {
  readonly onSlow: () => void
  bytes: number
  /** The tick by which the next portion is due, and the tick by which the whole body is. */
  due: number
  readonly latest: number
}

interface BodyDeadlineOptions {
  /** Time for a whole body, ms. */
  readonly totalMs: number
  /** Time for each `portionBytes` of a body, ms. Default 5 s, less than uWebSockets.js' own timeout. */
  readonly portionMs?: number
  /** Default 80 KiB, which makes 16 KiB a second the slowest speed. */
  readonly portionBytes?: number
  readonly tickMs?: number
}

/**
 * One timer for all bodies: most bodies are complete at once, and a timer for each would cost more than reading them.
 * Times are counted in ticks, so that a body gets up to one tick more.
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
