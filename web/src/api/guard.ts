import { useSyncExternalStore } from 'react'
import { createWatchers } from '../watchers.ts'

/** `busy`: under way, or what it changed is read again. `done`: nothing more is sent, whatever is still open. */
type State = 'free' | 'busy' | 'done'

/** What lets a change of a person through once, however often and fast they ask for it. */
interface Guard {
  /**
   * Whether it may be sent now. Answers false while the same is under way, and in an open dialog after the first that
   * was done.
   */
  readonly begin: (request: string) => boolean
  readonly succeed: () => void
  /** It has ended, and what it changed was read again. */
  readonly end: (request: string) => void
  /** Whether the dialog that asked for it was closed before it was done. */
  readonly isLeft: (request: string) => boolean
  /** Makes it one change at most until the function that it answers is called: a dialog holds it while it is open. */
  readonly hold: () => () => void
  readonly state: () => State
  /** For `useSyncExternalStore`. */
  readonly watch: (tell: () => void) => () => void
}

export const createGuard = (): Guard => {
  const underWay = new Set<string>()
  const left = new Set<string>()
  const { tell, watch } = createWatchers()
  let holders = 0
  let isDone = false
  const state = (): State => (underWay.size > 0 ? 'busy' : isDone ? 'done' : 'free')
  return {
    begin: request => {
      if (isDone || (holders > 0 ? underWay.size > 0 : underWay.has(request))) return false
      underWay.add(request)
      tell()
      return true
    },
    succeed: () => {
      isDone = holders > 0
      tell()
    },
    end: request => {
      underWay.delete(request)
      left.delete(request)
      tell()
    },
    isLeft: request => left.has(request),
    hold: () => {
      holders += 1
      isDone = false
      tell()
      return () => {
        holders -= 1
        if (!isDone) for (const request of underWay) left.add(request)
        isDone = false
        tell()
      }
    },
    state,
    watch,
  }
}

/**
 * What a dialog or a form is there for: a write of `useChange`, `useWrite` or what is made of them. Null: nothing is
 * sent, as of what only this page knows.
 */
export type AskedChange = {
  readonly guard: Guard
  readonly error: unknown
  readonly reset: () => void
} | null

const never = () => () => {}
const free = () => 'free' as const

/** Whether a change is on its way, or done: known at once, before the next click. */
export const useProgress = (change: AskedChange): ReturnType<Guard['state']> =>
  useSyncExternalStore(change?.guard.watch ?? never, change?.guard.state ?? free)
