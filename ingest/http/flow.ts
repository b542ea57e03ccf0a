import type { HttpResponse } from 'uWebSockets.js'

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
 * uWebSockets.js remembers what to watch a paused socket for in one place for all sockets, not for each: what the last one was watched
 * for that had as much left to send, nothing or something. A socket that is resumed in a state in which none was ever
 * paused is never read from again. So a socket is only resumed after it was paused and before its response begins, when nothing is
 * left to send, and the process's first request fills that place in.
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
    pause: () => {
      if (paused || released) return
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
