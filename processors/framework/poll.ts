import { AsyncLocalStorage } from 'node:async_hooks'
import { timerMs } from '../../infra/runtime/timers.ts'
import type { Observer } from './step.ts'
import { classifyThrown } from './thrown.ts'

export interface PollOptions {
  /** What is done, as the log names it when it has to wait. */
  readonly what: string
  /** Does what there is to do; answers whether there may be more at once. */
  readonly work: () => Promise<boolean>
  /** How often to look when there was nothing, in milliseconds; after failures up to 64 times as long. */
  readonly intervalMs: number
  readonly observer: Observer
}

export interface Polling {
  /** Lets the work under way finish. */
  stop(): Promise<void>
}

const looking = new AsyncLocalStorage<true>()

/** Whether the caller looks for work, again and again, and most often finds none. */
export const isPolling = (): boolean => looking.getStore() === true

/**
 * Looks for work until it is stopped. After a failure it is tried again, after pauses that double; what it waits for is
 * noted when the reason is another one, and so is its end.
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
