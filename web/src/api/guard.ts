import { useSyncExternalStore } from 'react'
import { createWatchers } from '../watchers.ts'
import type { Problem } from './http.ts'

/** `busy`: a request runs, or the changed data is being read again. `done`: the open dialog sends nothing more. */
type State = 'free' | 'busy' | 'done'

/** Sends a person's change once, however often and fast they press. */
interface Guard {
  /**
   * True when the request may be sent now. False while the same request runs, and in an open dialog after its first
   * success.
   */
  readonly begin: (request: string) => boolean
  readonly succeed: () => void
  /** True after the open dialog's request succeeded, also while the changed data is being read again. */
  readonly hasSucceeded: () => boolean
  /** Called when the request has ended and the changed data was read again. */
  readonly end: (request: string) => void
  /** True when the dialog of the request was closed before its success. */
  readonly isLeft: (request: string) => boolean
  /** Allows one change until the answered function is called: a dialog holds the guard while it is open. */
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
    hasSucceeded: () => isDone,
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
 * The write of a dialog or form, from `useChange`, `useWrite` or functions made of them. Null when nothing is sent,
 * because only this page has the data.
 */
export type AskedChange = {
  readonly guard: Guard
  readonly error: Problem | null
  readonly reset: () => void
  /** Sends again what was sent last, under the same key. */
  readonly again?: () => void
} | null

const never = () => () => {}
const free = () => 'free' as const

/** State of a change, current before the next click. */
export const useProgress = (change: AskedChange): ReturnType<Guard['state']> =>
  useSyncExternalStore(change?.guard.watch ?? never, change?.guard.state ?? free)
