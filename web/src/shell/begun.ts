import { useEffect, useSyncExternalStore } from 'react'
import { createWatchers } from '../watchers.ts'

/** A claim that a new Solution answers. */
export interface BegunClaim {
  readonly reference: string
  readonly title: string
}

/** A signal that has no claim yet: it gets one, which the new Solution answers. */
export interface BegunSignal {
  readonly reference: string
  readonly text: string
  readonly version: number
  readonly classification: string
}

/** What can be begun from any screen, each in one dialog. */
export type Begun =
  | {
      readonly what: 'solution'
      readonly claims?: readonly BegunClaim[]
      readonly signals?: readonly BegunSignal[]
      /** Hears that it is made: a list then lets go of what was chosen for it, or a second press would make another. */
      readonly onCreated?: () => void
    }
  | { readonly what: 'signal' }

let begun: Begun | null = null
const { tell, watch } = createWatchers()

/** Opens the dialog of it above the screen, whichever that is; null closes it. */
export const begin = (next: Begun | null): void => {
  begun = next
  tell()
}

export const useBegun = (): Begun | null => useSyncExternalStore(watch, () => begun)

/** What the page is of, where a Solution can be begun of it. */
let subject: Begun | null = null

/** While the page of something is shown, a Solution that is begun by key or as a command is one for it. */
export const useSubject = (next: Begun | null): void =>
  useEffect(() => {
    subject = next
    return () => {
      subject = null
    }
  }, [next])

/** Begins a Solution: for what the page is of, or of nothing yet. */
export const beginSolution = (): void => begin(subject ?? { what: 'solution' })

type Evidence = BegunSignal & { readonly claims: readonly BegunClaim[] }

/** A Solution of signals: it answers their claims, and those without one get one together. */
export const solutionOf = (signals: readonly Evidence[], onCreated?: () => void): Begun => {
  const claims = new Map(signals.flatMap(signal => signal.claims).map(claim => [claim.reference, claim]))
  return {
    what: 'solution',
    claims: [...claims.values()].map(({ reference, title }) => ({ reference, title })),
    signals: signals.filter(signal => signal.claims.length === 0),
    ...(onCreated !== undefined && { onCreated }),
  }
}
