import { AsyncLocalStorage } from 'node:async_hooks'
import { timerMs } from '../../infra/runtime/timers.ts'
import type { Observer } from './step.ts'
import { classifyThrown } from './thrown.ts'

export interface PollOptions {
  /** Name of the work, for the process log. */
  readonly what: string
  /** Does the work that is there. Answers true when more may be there already. */
  readonly work: () => Promise<boolean>
  /** Pause without work, ms; after failures up to 64 times as long. */
  readonly intervalMs: number
  readonly observer: Observer
}

export interface Polling {
  /** Lets the work under way finish. */
  stop(): Promise<void>
}

const looking = new AsyncLocalStorage<true>()

/** True inside of `work`: such a caller repeats, and most often finds nothing. */
export const isPolling = (): boolean => looking.getStore() === true

/**
 * Repeats `work` until it is stopped. Pauses after failures double. A note tells each new reason of a failure, and its
 * end.
 */
export const startPolling = ({ what, work, intervalMs, observer }: PollOptions): Polling => {
  const ending = new AbortController()

  const run = async () => {
    let waitedFor: string | null = null
    for (let failures = 0; !ending.signal.aborted; ) {
      let isMore = false
      try {
        isMore = await work()
        failures = 0
        if (waitedFor !== null) observer.note(`${what} goes on`, {})
        waitedFor = null
      } catch (error) {
        failures += 1
        const { errorClass, message } = classifyThrown(error)
        if (message !== waitedFor) observer.note(`${what} waits`, { errorClass, message })
        waitedFor = message
      }
      if (!isMore) await pause(intervalMs * 2 ** Math.min(failures, 6), ending.signal)
    }
  }
  const running = looking.run(true, run)
  return {
    stop: async () => {
      ending.abort()
      await running
    },
  }
}

const pause = (milliseconds: number, until: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const done = () => {
      clearTimeout(timer)
      until.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, timerMs(milliseconds))
    until.addEventListener('abort', done)
    if (until.aborted) done()
  })
